import { dayUs } from "../time/utcDay.ts";
import { inactivityMs } from "./sessions.ts";

/**
 * Adds the column `session_began` to rows with `session_key` and `ts`, which must be all activities of their sessions.
 * A session is identified by both: `session_key` and the time in microseconds at which it begins among these rows, as
 * defined in sessions.ts.
 *
 * TIMESTAMP(ts) makes QuestDB 9.3.4 sort the rows once and keep that order. Without it each window sorts by itself, and
 * two windows that order simultaneous events differently disagree about where a session begins. Dividing a LONG
 * truncates, so days are compared by number.
 */
export function withSessionsSql(activities: string): string {
  const ordered = "OVER (PARTITION BY session_key ORDER BY ts";
  const starts =
    `SELECT *, CASE WHEN ts::long - lag(ts::long) ${ordered}) < ${inactivityMs * 1_000} THEN null ELSE ts::long END AS chain_start ` +
    `FROM ((${activities}) ORDER BY ts) TIMESTAMP(ts)`;
  const chains =
    `SELECT *, max(chain_start) ${ordered} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS chain_began ` +
    `FROM (${starts})`;
  return (
    `SELECT *, CASE WHEN ts::long / ${dayUs} - chain_began / ${dayUs} < 2 THEN chain_began ELSE ts::long / ${dayUs} * ${dayUs} END ` +
    `AS session_began FROM (${chains})`
  );
}
