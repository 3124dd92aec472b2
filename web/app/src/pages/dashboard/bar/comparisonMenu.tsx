import { t } from "../../../texts/texts.ts";
import { Menu } from "../../../ui/menu.tsx";
import { useDashboard } from "../context.ts";
import { comparedWith, comparisonIn } from "../view/comparison.ts";
import { ComparisonChoices } from "./comparisonChoices.tsx";
import { comparisonText } from "./comparisonText.ts";

/** What the period is compared with. On a phone it is a part of the period's menu. */
export function ComparisonMenu() {
  const { view, now } = useDashboard();
  const texts = t();
  // Before all time there is nothing to compare with.
  if ("preset" in view.range && view.range.preset === "all") return null;
  return (
    <div class="bar-wide" data-comparison>
      <Menu
        label={texts.dashboard.comparison}
        button={comparisonText(comparedWith(comparisonIn(view), view.range, now.day), texts)}
        alignEnd
      >
        <ComparisonChoices />
      </Menu>
    </div>
  );
}
