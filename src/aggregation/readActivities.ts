import type { BoundValue, Row } from "../store/questdb/questdbReader.ts";
import type { RowSource } from "../store/questdb/secondRead.ts";
import { dayUs } from "../time/utcDay.ts";
import { contextColumns } from "./sessionContext.ts";
import { type Activity, idleTime, inactivityMs, type Session } from "./sessions.ts";

/**
 * What is read to correct a UTC day of a website: the day itself and, for the sessions that may cross one of its
 * midnights (`nearKeys`), the days around it. `dayStartUs` is in microseconds since 1970.
 */
export type DayScope = {
  readonly websiteId: string;
  readonly dayStartUs: number;
  readonly nearKeys: ReadonlySet<number>;
  /** Only sessions with keys of this range; all without it. */
  readonly keys?: KeyRange;
};

/** Session keys, both ends included. */
export type KeyRange = { readonly from: number; readonly to: number };

/** Rows held at once: some tens of MB. */
const rowsPerRead = 25_000;

const inactivityUs = inactivityMs * 1_000;

/**
 * Start days, relative to the event's day, of the sessions that an event can change: a session lasts two days at most,
 * and the event may end the session of the day before.
 */
const firstStartDay = -1;
const startDays = 4;

/**
 * Keys of sessions with an event within 30 minutes of the day's midnights: those that may cross them. `dayStartUs`
 * is in microseconds since 1970.
 */
export async function readNearKeys(
  questdb: RowSource,
  websiteId: string,
  dayStartUs: number,
): Promise<ReadonlySet<number>> {
  const values: BoundValue[] = [websiteId];
  const rows = await questdb.read(nearKeysSql(dayStartUs, values), values);
  return new Set(rows.map((row) => Number(row["near_key"])));
}

/** Whether a session that starts at `startUs` (microseconds since 1970) is corrected within this scope. */
export function isInScope({ dayStartUs, nearKeys }: DayScope, sessionKey: number, startUs: number): boolean {
  const day = Math.floor((startUs - dayStartUs) / dayUs);
  return day === 0 || (day >= firstStartDay && day < firstStartDay + startDays && nearKeys.has(sessionKey));
}

/**
 * The activities of the sessions of the scope, ordered by session key, time and event key; read page by page. Throws
 * the driver's error.
 */
export async function* readActivities(questdb: RowSource, scope: DayScope): AsyncGenerator<Activity> {
  for await (const row of readPages(questdb, scope, activityRows)) {
    const activity = activityOf(row);
    if (isOfDay(scope, activity.us) || scope.nearKeys.has(activity.sessionKey)) yield activity;
  }
}

/**
 * Stored sessions and idle times of the scope, ordered by session key and start; read page by page. Throws the
 * driver's error.
 */
export async function* readStoredSessions(questdb: RowSource, scope: DayScope): AsyncGenerator<Session, undefined> {
  for await (const row of readPages(questdb, scope, storedRows)) {
    const session = storedSessionOf(row);
    if (isInScope(scope, session.sessionKey, session.startUs)) yield session;
  }
}

/** Rows that are read in pages, with their columns and the order of these that makes each row unique. */
type PagedRows = {
  readonly columns: string;
  readonly order: readonly string[];
  /** The statement for a time range, which adds its values. */
  readonly sql: (fromUs: number, untilUs: number, values: BoundValue[]) => string;
  /** How far the rows of sessions that cross a midnight of the day may lie, relative to its start. */
  readonly beforeUs: number;
  readonly afterUs: number;
};

/** The rows of the day, and those around it of sessions that may cross one of its midnights. */
async function* readPages(
  questdb: RowSource,
  scope: DayScope,
  { columns, order, sql, beforeUs, afterUs }: PagedRows,
): AsyncGenerator<Row> {
  const { websiteId, dayStartUs, nearKeys, keys } = scope;
  const dayEndUs = dayStartUs + dayUs;
  for (let last: Row | undefined; ; ) {
    const values: BoundValue[] = [websiteId];
    const bind = (value: BoundValue) => `$${values.push(value)}`;
    const parts = [sql(dayStartUs, dayEndUs, values)];
    if (nearKeys.size > 0) {
      const before = sql(dayStartUs + beforeUs, dayStartUs, values);
      const after = sql(dayEndUs, dayStartUs + afterUs, values);
      const around = `SELECT ${columns} FROM (${before} UNION ALL ${after})`;
      parts.push(`${around} JOIN (${nearKeysSql(dayStartUs, values)}) ON session_key = near_key`);
    }
    const conditions = [
      ...(keys === undefined ? [] : [`session_key >= ${bind(keys.from)}`, `session_key <= ${bind(keys.to)}`]),
      ...(last === undefined ? [] : [afterSql(order, last, bind)]),
    ];
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
    const rows = await questdb.read(
      `SELECT * FROM (${parts.join(" UNION ALL ")})${where} ORDER BY ${order.join(", ")} LIMIT ${bind(rowsPerRead)}`,
      values,
    );
    yield* rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerRead) return;
  }
}

/** The condition for rows that come after another one in an order of columns. */
function afterSql([first, ...others]: readonly string[], row: Row, bind: (value: BoundValue) => string): string {
  if (first === undefined) return "false";
  const value = Number(row[first]);
  const later = `${first} > ${bind(value)}`;
  return others.length === 0 ? later : `(${later} OR (${first} = ${bind(value)} AND ${afterSql(others, row, bind)}))`;
}

function isOfDay({ dayStartUs }: DayScope, us: number): boolean {
  return us >= dayStartUs && us < dayStartUs + dayUs;
}

// In the statements below $1 is the website; every other value is bound where it is used.

function timeSql(fromUs: number, untilUs: number, values: BoundValue[]): string {
  return `website_id = $1 AND ts >= $${values.push(timeText(fromUs))} AND ts < $${values.push(timeText(untilUs))}`;
}

/** Bounds are midnights and half hours, so whole milliseconds. */
function timeText(us: number): string {
  return new Date(us / 1_000).toISOString();
}

function nearKeysSql(dayStartUs: number, values: BoundValue[]): string {
  const midnights = [dayStartUs, dayStartUs + dayUs];
  return midnights
    .flatMap((us) =>
      ["events", "outgoing_links"].map(
        (table) =>
          `SELECT session_key near_key FROM ${table} ` +
          `WHERE ${timeSql(us - inactivityUs, us + inactivityUs, values)} AND session_key IS NOT NULL`,
      ),
    )
    .join(" UNION ");
}

const activityColumns =
  "session_key, us, event_key, place, kind, visitor_key, session_id, anonymous_id, path, time_on_page_ms, " +
  contextColumns.join(", ");
const contextSql = contextColumns.map((column) => `${column}::varchar ${column}`).join(", ");
const noContextSql = contextColumns.map((column) => `null::varchar ${column}`).join(", ");

/** `place` orders an event before a link click of the same time and key. */
function activitiesSql(fromUs: number, untilUs: number, values: BoundValue[]): string {
  return (
    "SELECT session_key, ts::long us, event_key, 0 place, event_type::varchar kind, visitor_key, session_id, anonymous_id, path, " +
    `time_on_page_ms, ${contextSql} FROM events ` +
    `WHERE ${timeSql(fromUs, untilUs, values)} AND session_key IS NOT NULL UNION ALL ` +
    "SELECT session_key, ts::long us, event_key, 1 place, 'link'::varchar kind, visitor_key, session_id, anonymous_id, path, " +
    `null::double time_on_page_ms, ${noContextSql} FROM outgoing_links ` +
    `WHERE ${timeSql(fromUs, untilUs, values)} AND session_key IS NOT NULL`
  );
}

const plainColumns =
  "visitor_key, session_id, anonymous_id, last_activity_ms, idle_until_ms, page_count, action_count, click_count, duration_seconds, " +
  "entry_page, exit_page";
const storedColumns = `session_key, us, ${plainColumns}, ${contextColumns.join(", ")}`;

function storedSql(fromUs: number, untilUs: number, values: BoundValue[]): string {
  return (
    `SELECT session_key, started::long us, ${plainColumns}, ${contextSql} FROM sessions ` +
    `WHERE ${timeSql(fromUs, untilUs, values)} AND (last_activity_ms IS NOT NULL OR idle_until_ms IS NOT NULL)`
  );
}

const activityRows: PagedRows = {
  columns: activityColumns,
  order: ["session_key", "us", "event_key", "place"],
  sql: activitiesSql,
  // Whether a session is cut at a midnight depends on the whole day before it.
  beforeUs: (firstStartDay - 1) * dayUs - inactivityUs,
  afterUs: (firstStartDay + startDays + 1) * dayUs,
};

const storedRows: PagedRows = {
  columns: storedColumns,
  order: ["session_key", "us"],
  sql: storedSql,
  beforeUs: firstStartDay * dayUs,
  afterUs: (firstStartDay + startDays) * dayUs,
};

function activityOf(row: Row): Activity {
  const kind = row["kind"];
  return {
    us: Number(row["us"]),
    eventKey: Number(row["event_key"]),
    kind: kind === "page_view" || kind === "page_exit" || kind === "link" ? kind : "custom",
    sessionKey: Number(row["session_key"]),
    visitorKey: numberOf(row["visitor_key"]),
    sessionId: textOf(row["session_id"]),
    anonymousId: textOf(row["anonymous_id"]),
    path: textOf(row["path"]),
    context: contextColumns.map((column) => textOf(row[column])),
    timeOnPageMs: numberOf(row["time_on_page_ms"]),
  };
}

function storedSessionOf(row: Row): Session {
  const sessionKey = Number(row["session_key"]);
  const startUs = Number(row["us"]);
  const idleUntilMs = row["idle_until_ms"];
  const visitorKey = numberOf(row["visitor_key"]);
  const context = contextColumns.map((column) => textOf(row[column]));
  if (typeof idleUntilMs === "number")
    return idleTime({ sessionKey, startUs, lastActivityMs: idleUntilMs, visitorKey, context });
  return {
    sessionKey,
    startUs,
    isIdle: false,
    lastActivityMs: Number(row["last_activity_ms"]),
    visitorKey,
    sessionId: textOf(row["session_id"]),
    anonymousId: textOf(row["anonymous_id"]),
    pageCount: Number(row["page_count"]),
    // Records from before this column existed get a value that no events give, so that they are rewritten.
    actionCount: numberOf(row["action_count"]) ?? -1,
    clickCount: numberOf(row["click_count"]) ?? -1,
    durationSeconds: Number(row["duration_seconds"]),
    entryPage: textOf(row["entry_page"]),
    exitPage: textOf(row["exit_page"]),
    context,
  };
}

function textOf(cell: Row[string] | undefined): string | undefined {
  return typeof cell === "string" && cell !== "" ? cell : undefined;
}

function numberOf(cell: Row[string] | undefined): number | undefined {
  return typeof cell === "number" ? cell : undefined;
}
