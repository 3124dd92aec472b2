import { directGroup, sourceColumns } from "../../aggregation/sessionContext.ts";
import { dayMs } from "../../time/utcDay.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { textsOf, type VisitText, visitFigures } from "./visitColumns.ts";
import { selectedVisits } from "./visitEvents.ts";
import { type OtherVisits, type VisitScope, visitsSql } from "./visitsSql.ts";

/** Which source a visit has: its own, or that of the visitor's latest visit that has one. */
export type Attribution = "visit" | "last_non_direct";

/** How long before a visit another one may have begun whose source it has. */
const reachMs = 30 * dayMs;

/** Whether an attribution changes a field. */
export function isOfSource(field: Field): boolean {
  return textsOf([field]).some((text) => text === "referrer" || sourceColumns.some((source) => source === text));
}

/** When visits began whose source a visit of this range may have. */
export function touchRange({ startMs, endMs }: OtherVisits["range"]): OtherVisits["range"] {
  return { startMs: startMs - reachMs, endMs };
}

/**
 * The visits of a question that its filters select, as a statement like that of selectedVisits, with the texts of the latest visit of the
 * visitor that has a source, at most 30 days before. A visit without a visitor keeps its own.
 *
 * Visits of a visitor are numbered by how many with a source there were, itself included, so that exactly one with a source has each number.
 * TIMESTAMP(started) makes QuestDB 9.3.4 keep the order of the rows, as in sessionSql.ts.
 */
export function attributedVisits(
  scope: VisitScope,
  touches: OtherVisits,
  texts: readonly VisitText[],
  bindings: Bindings,
): string {
  const own = selectedVisits(scope, texts, bindings);
  const around = { ...scope, range: touches.range, visits: touches.visits, filters: [], isNow: false };
  const asked = [...new Set<VisitText>([...sourceColumns, ...texts])];
  const hasSource = sourceColumns
    .map((text) =>
      text === "referrer_group" ? `(length(${text}) > 0 AND ${text} != '${directGroup}')` : `length(${text}) > 0`,
    )
    .join(" OR ");
  const all =
    `SELECT visitor_key, session_key, started, began, CASE WHEN ${hasSource} THEN 1 ELSE 0 END AS sourced, ${texts.join(", ")} ` +
    `FROM (${visitsSql(around, asked, bindings)}) WHERE visitor_key != null`;
  const numbered =
    `SELECT *, sum(sourced) OVER (PARTITION BY visitor_key ORDER BY started ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS places ` +
    `FROM ((${all}) ORDER BY started, sourced DESC, session_key) TIMESTAMP(started)`;
  const places = `SELECT session_key AS placed_key, began AS placed_began, places::long AS place FROM (${numbered})`;
  const found = texts.map((text) => `, ${text} AS touch_${text}`).join("");
  const sources = `SELECT visitor_key AS touch_visitor, places::long AS touch_place, began AS touch_began${found} FROM (${numbered}) WHERE sourced = 1`;
  const shown = texts.map(
    (text) =>
      `CASE WHEN visitor_key = null THEN ${text} WHEN touch_began >= began - ${reachMs * 1_000} THEN touch_${text} ELSE null::string END AS ${text}`,
  );
  return (
    `SELECT ${[...visitFigures, ...shown].join(", ")} FROM (${own}) LEFT JOIN (${places}) ON session_key = placed_key AND began = placed_began ` +
    `LEFT JOIN (${sources}) ON visitor_key = touch_visitor AND place = touch_place`
  );
}
