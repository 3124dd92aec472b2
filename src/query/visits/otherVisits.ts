import type { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import { findField } from "../sql/fields.ts";
import { type Attribution, touchRange } from "./attributedVisits.ts";
import type { FindVisits } from "./findVisits.ts";
import { visitorType } from "./visitColumns.ts";
import { everMs, type OtherVisits, type VisitScope } from "./visitsSql.ts";

/** What makes a question ask about visits of other ranges than its own. */
export type OtherQuestions = {
  /** The fields of its filters and groups, by name. */
  readonly fields: readonly string[];
  readonly attribution?: Attribution | undefined;
};

/** Finds the visits of other ranges that a question needs, beside its own. Without `findVisits` all are computed from events. */
export async function findOtherVisits(
  scope: VisitScope,
  { fields, attribution }: OtherQuestions,
  reader: Pick<QuestdbReader, "read">,
  findVisits?: FindVisits,
): Promise<Pick<VisitScope, "kept" | "touches">> {
  const visitsOf = async (range: OtherVisits["range"]): Promise<OtherVisits> => ({
    range,
    visits: await findVisits?.({ ...scope, range, isNow: false }, reader, false),
  });
  const { endMs } = scope.range;
  const asksType = fields.some((name) => findField("events", name)?.column === visitorType);
  return {
    ...(asksType ? { kept: await visitsOf({ startMs: everMs, endMs }) } : {}),
    ...(attribution === "last_non_direct" ? { touches: await visitsOf(touchRange(scope.range)) } : {}),
  };
}
