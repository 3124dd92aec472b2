import { dayUs, inactivityMs } from "./sessions.ts";

/**
 * Adds the column `session_began` to rows with `session_key` and `ts`, all the activities of their sessions: the session of a row is the
 * pair of both, as sessions.ts defines it. It is the time in microseconds at which the session begins among these rows.
 *
 * TIMESTAMP(ts) makes QuestDB 9.3.4 sort the rows once and keep that order. Without it, each window sorts for itself, and two that see
 * events of one moment in different orders disagree about where a session begins. Dividing a LONG cuts off the rest, so days are
 * compared by number.
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
