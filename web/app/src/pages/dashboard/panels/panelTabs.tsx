import type { Signal } from "@preact/signals";
import { t } from "../../../texts/texts.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import type { PanelList } from "./panelTypes.ts";

/** The world map is a tab beside the lists. */
export type Tab = PanelList | "map";

type PanelTabsProps = { readonly tabs: readonly Tab[]; readonly shown: Tab; readonly chosen: Signal<Tab | undefined> };

/** The lists of a panel in one line: what does not fit can be scrolled to, and seldom ones are in a menu. */
export function PanelTabs({ tabs, shown, chosen }: PanelTabsProps) {
  const texts = t();
  const titleOf = (tab: Tab) => (tab === "map" ? texts.panels.map : tab.title(texts));
  const further = tabs.filter((tab) => tab !== "map" && tab.isFurther === true);
  const chosenFurther = further.find((tab) => tab === shown);
  return (
    <div class="panel-tabs">
      <div class="tabs panel-tab-line">
        {tabs
          .filter((tab) => !further.includes(tab))
          .map((tab) => (
            <button
              key={nameOf(tab)}
              type="button"
              class="tab"
              data-tab={nameOf(tab)}
              aria-pressed={tab === shown}
              onClick={(event) => {
                chosen.value = tab;
                event.currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" });
              }}
            >
              {titleOf(tab)}
            </button>
          ))}
      </div>
      {further.length > 0 && (
        <div class="panel-further" data-chosen={chosenFurther !== undefined}>
          <Menu
            label={texts.panels.furtherLists}
            button={chosenFurther === undefined ? texts.panels.further : titleOf(chosenFurther)}
            alignEnd
          >
            {further.map((tab) => (
              <MenuItem
                key={nameOf(tab)}
                name={nameOf(tab)}
                isCurrent={tab === shown}
                onChoose={() => {
                  chosen.value = tab;
                }}
              >
                {titleOf(tab)}
              </MenuItem>
            ))}
          </Menu>
        </div>
      )}
    </div>
  );
}

/** Its name in the document. */
function nameOf(tab: Tab): string {
  return tab === "map" ? "map" : tab.type;
}
