import { useSignal } from "@preact/signals";
import { t } from "../../../texts/texts.ts";
import { useModule } from "../../../ui/useModule.ts";
import { mayAsk, useDashboard } from "../context.ts";
import { ListRows } from "./listRows.tsx";
import { PanelTabs, type Tab } from "./panelTabs.tsx";
import { PanelTools } from "./panelTools.tsx";
import type { PanelEntry } from "./panelTypes.ts";
import { closeSheet, openedSheet } from "./sheet/sheetAddress.ts";
import { Waiting } from "./waiting.tsx";

type PanelContentProps = { readonly panel: PanelEntry; readonly isNear: boolean };

/** Tabs and tools of a panel, and one of its lists. */
export function PanelContent({ panel, isNear }: PanelContentProps) {
  const { isMember, goal, types } = useDashboard();
  const lists = panel.lists.filter(
    ({ type, isPrivate }) => (isMember || isPrivate !== true) && mayAsk({ types }, type),
  );
  const chosen = useSignal<Tab | undefined>(undefined);
  // With a goal, people first want to know which campaign brought it.
  const first = (goal === undefined ? undefined : lists.find(({ isFirstWithGoal }) => isFirstWithGoal)) ?? lists[0];
  const tabs: readonly Tab[] = [
    ...lists,
    ...(panel.hasMap === true && mayAsk({ types }, "countries") ? (["map"] as const) : []),
  ];
  const shown = tabs.find((tab) => tab === chosen.value) ?? first;
  const map = useModule(() => import("../more/map/countryMap.tsx"), shown === "map");
  const opened = lists.find(({ type }) => type === openedSheet.value);
  const sheet = useModule(() => import("./sheet/sheet.tsx"), opened !== undefined);
  if (shown === undefined || first === undefined) return null;
  const texts = t();
  // The list of countries has the figures of the map.
  const list = shown === "map" ? first : shown;
  const name = `${panel.title(texts)}, ${list.title(texts)}`;
  return (
    <>
      <div class="panel-head panel-line">
        <h2 id={`panel-${panel.id}`}>{panel.title(texts)}</h2>
        {tabs.length > 1 && <PanelTabs tabs={tabs} shown={shown} chosen={chosen} />}
        <PanelTools list={list} name={name} />
      </div>
      {shown !== "map" ? (
        <ListRows key={shown.type} list={shown} isNear={isNear} />
      ) : map === undefined ? (
        <div class="panel-body panel-rows">
          <Waiting />
        </div>
      ) : (
        <map.CountryMap />
      )}
      {sheet !== undefined && opened !== undefined && (
        <sheet.Sheet list={opened} title={`${panel.title(texts)}: ${opened.title(texts)}`} onClose={closeSheet} />
      )}
    </>
  );
}
