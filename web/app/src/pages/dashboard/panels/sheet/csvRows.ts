import { figureOf, type PanelList } from "../panelTypes.ts";

/** The header and the rows of a list's file: its names and figures, named as in the answers of the API. */
export function csvTable(list: PanelList, rows: readonly object[], hasGoal: boolean) {
  const figures = [
    ...list.columns.map(({ field }): string => field),
    ...(hasGoal && list.carriesGoal === true ? ["conversions", "conversion_rate"] : []),
  ];
  return {
    header: [...list.names, ...figures],
    rows: rows.map((row) => [
      ...list.names.map((name) => String((row as Readonly<Record<string, unknown>>)[name] ?? "")),
      ...figures.map((field) => figureOf(row, field)),
    ]),
  };
}
