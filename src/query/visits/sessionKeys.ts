import { inactivityMs } from "../../aggregation/sessions.ts";

/** Whether all activities between two time columns are one session: no pause fits in. */
export function isOneSession(began: string, ended: string): string {
  return `${ended} - ${began} < ${inactivityMs * 1_000}`;
}

/**
 * Session keys of rows whose first and last time are so far apart that they may be several sessions, as `session_key`.
 * Window functions over all rows are the most expensive part of a statement; only the rows of these keys need them.
 */
export function longKeysSql(rows: string): string {
  return (
    "SELECT session_key FROM (SELECT session_key, min(ts) AS began, max(ts) AS ended " +
    `FROM ${rows} GROUP BY session_key) WHERE NOT (${isOneSession("began", "ended")})`
  );
}

/**
 * A number for a session, which is identified by its key and its start, because QuestDB counts distinct values of one
 * column only.
 */
export function sessionNumber(key: string, began: string): string {
  return `${key} * ${sessionFactor} + ${began}`;
}

/** Spreads session keys over all 64 bits, so that collisions are rare. From Knuth's MMIX generator. */
const sessionFactor = "6364136223846793005";
