import type { ComparedRows, LookoutQuery } from "../../../../../../../packages/client-js/src/query.ts";
import { query } from "../../../../api/client.ts";
import { failedAnswer } from "../../../../api/failedAnswer.ts";
import type { AnyRow, PanelList } from "../panelTypes.ts";
import { type ShownRow, sortedRows } from "../shownRows.ts";

export type SheetAnswer = {
  readonly rows: readonly ShownRow[];
  readonly comparison: ComparedRows<AnyRow> | undefined;
  /** Whether there are no others. */
  readonly isAll: boolean;
};

/** Asks for the rows of a list, with the bounce rate and the duration of visits where another type has them. */
export async function askSheet(list: PanelList, question: LookoutQuery, signal: AbortSignal): Promise<SheetAnswer> {
  const { visitsType } = list;
  const parameters = [list.type, ...(visitsType === undefined ? [] : [visitsType])];
  const { data } = await query({ ...question, parameters }, { signal });
  const [answer, visits] = data;
  if (answer?.success !== true) throw failedAnswer(answer);
  const visitsOf = new Map((visits?.data ?? []).map((row) => [nameOf(row), row]));
  const rows = sortedRows(list, answer.data, answer.comparison ?? undefined).map(({ row, before }) => ({
    row: withVisits(row, visitsOf.get(nameOf(row))),
    before,
  }));
  return { rows, comparison: answer.comparison ?? undefined, isAll: answer.data.length < (question.limit ?? 0) };
}

function nameOf(row: object): unknown {
  return (row as Readonly<Record<string, unknown>>)["name"];
}

function withVisits(row: AnyRow, visits: object | undefined): AnyRow {
  const { bounce_rate = null, avg_session_duration = null } = (visits ?? {}) as Readonly<Record<string, number | null>>;
  return { ...row, bounce_rate, avg_session_duration };
}
