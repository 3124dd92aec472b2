import { measuresAudienceOnly } from "../../../api/audienceOnly.ts";
import { t } from "../../../texts/texts.ts";
import type { BarLink } from "../../../ui/barTable.tsx";
import { type IconName, iconOf } from "../../../ui/icons/iconOf.ts";
import { hrefOfView } from "../view/currentView.ts";
import { type View, withFilters } from "../view/view.ts";
import { type AnyRow, figureOf, type PanelList } from "./panelTypes.ts";

type Shown = { readonly view: View; readonly websiteId: string };

/** What a click on a row leads to: the view with the filters of the row. Where only an audience is measured there are no filters. */
export function rowLink(list: PanelList, row: AnyRow, { view, websiteId }: Shown, label: string): BarLink | undefined {
  if (measuresAudienceOnly(websiteId)) return undefined;
  const filters = list.filters?.(row) ?? [];
  if (filters.length === 0) return undefined;
  return { href: hrefOfView(withFilters(view, filters)), title: t().panels.filterBy(label) };
}

export function iconFor(list: PanelList, row: AnyRow): IconName | undefined {
  const about = list.icon?.(row);
  return about === undefined ? undefined : iconOf(...about);
}

/** The figure that bars draw. */
export function mainFigure({ columns: [main] }: PanelList, row: AnyRow): number | null {
  return main === undefined ? null : figureOf(row, main.field);
}
