import { measuresAudienceOnly } from "../../../api/audienceOnly.ts";
import { t } from "../../../texts/texts.ts";
import { useDashboard } from "../context.ts";
import { FilterBar } from "../filters/filterBar.tsx";
import { LiveLine } from "../liveLine.tsx";
import { ComparisonMenu } from "./comparisonMenu.tsx";
import { Period } from "./period.tsx";
import { useBarKeys } from "./useBarKeys.ts";
import "../../../styles/bar.css";

/** Stays on top while the page scrolls: who is here now, filters, comparison and period. */
export function Bar() {
  const { websiteId } = useDashboard();
  useBarKeys();
  return (
    <section class="bar" aria-label={t().bar.label}>
      <div class="bar-inner">
        <LiveLine />
        {measuresAudienceOnly(websiteId) ? <div class="filter-bar" /> : <FilterBar />}
        <div class="controls">
          <ComparisonMenu />
          <Period />
        </div>
      </div>
    </section>
  );
}
