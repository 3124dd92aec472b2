import { DisagreeingReadsError, type RowSource, secondRead } from "../store/questdb/secondRead.ts";
import { sessionPlaceUs } from "../store/questdb/sessionPlace.ts";
import type { RowOf } from "../store/questdb/tables.ts";
import { appliedSoonMs, whenApplied } from "../store/questdb/whenApplied.ts";
import { startOfUtcDay, utcDayOf } from "../time/utcDay.ts";
import type { AggregationStores } from "./dailyAggregates.ts";
import {
  type DayScope,
  isInScope,
  type KeyRange,
  readActivities,
  readNearKeys,
  readStoredSessions,
} from "./readActivities.ts";
import { type Context, contextColumns } from "./sessionContext.ts";
import { type Session, SessionBuilder } from "./sessions.ts";

/**
 * Rows per write. Each commit rewrites what the day's partition already holds, so a large website's day should be
 * written in few.
 */
const rowsPerWrite = 5_000;

/**
 * Queues other UTC days for correction: visits that began on them have changed, and so have their daily figures. Callers that make the
 * figures of the days around by themselves need none.
 */
export type QueueDays = (days: readonly string[]) => Promise<void>;

/**
 * Makes the stored sessions of a website that an event of a UTC day (YYYY-MM-DD) may have changed equal to those that
 * its events give. Resolves to the number of rows written; 0 if all was right, so it is safe to repeat.
 *
 * Only differences are written. A session that no longer exists, because a late event joined it to another or moved its
 * start, is overwritten with nulls under the same key, as QuestDB cannot delete rows. What takes something away is only
 * written if a second read on another connection finds the same. Rejects with DisagreeingReadsError, after everything
 * else was written, if one does not; with AbortError when `signal` aborts.
 */
export async function correctSessions(
  stores: AggregationStores,
  websiteId: string,
  day: string,
  signal: AbortSignal,
  queueDays?: QueueDays,
): Promise<number> {
  const { questdb, rows } = stores;
  // Rows that are written but cannot be read yet would look missing.
  await whenApplied(questdb, ["events", "outgoing_links", "sessions"], signal, appliedSoonMs);
  const dayStartUs = startOfUtcDay(day) * 1_000;
  const readChanges = async (source: RowSource, keys?: KeyRange) => {
    const nearKeys = await readNearKeys(source, websiteId, dayStartUs);
    const scope: DayScope = { websiteId, dayStartUs, nearKeys, ...(keys && { keys }) };
    return bySession(differences(websiteId, madeSessions(source, scope, signal), readStoredSessions(source, scope)));
  };
  let written = 0;
  let refuted = 0;
  let waiting: RowOf<"sessions">[] = [];
  let doubtful: SessionChange[] = [];
  const write = async () => {
    signal.throwIfAborted();
    // First, so that a correction that is interrupted here is made up for.
    const changed = new Set(waiting.map(({ values: { started } }) => utcDayOf((started ?? 0) / 1_000)));
    changed.delete(day);
    if (changed.size > 0) await queueDays?.([...changed]);
    await rows.write(waiting);
    written += waiting.length;
    waiting = [];
  };
  const confirm = async () => {
    const confirmed = await confirmedChanges(doubtful, (keys) => readChanges(secondRead(questdb), keys));
    refuted += doubtful.length - confirmed.length;
    waiting.push(...confirmed.flatMap(({ rows: changed }) => changed));
    doubtful = [];
  };
  for await (const change of await readChanges(questdb)) {
    if (change.takesAway) doubtful.push(change);
    else waiting.push(...change.rows);
    if (doubtful.length >= rowsPerWrite) await confirm();
    if (waiting.length >= rowsPerWrite) await write();
  }
  if (doubtful.length > 0) await confirm();
  if (waiting.length > 0) await write();
  // The caller may read the result at once.
  if (written > 0) await whenApplied(questdb, ["sessions"], signal, appliedSoonMs);
  if (refuted > 0)
    throw new DisagreeingReadsError(
      `${refuted} stored sessions of ${websiteId} on ${day} were kept: two reads disagree`,
    );
  return written;
}

/** The sessions of the scope as its events give them, ordered by session key and start. */
async function* madeSessions(
  source: RowSource,
  scope: DayScope,
  signal: AbortSignal,
): AsyncGenerator<Session, undefined> {
  const builder = new SessionBuilder();
  const isWanted = (session: Session | undefined): session is Session =>
    session !== undefined && isInScope(scope, session.sessionKey, session.startUs);
  for await (const activity of readActivities(source, scope)) {
    const session = builder.add(activity);
    if (isWanted(session)) {
      signal.throwIfAborted();
      yield session;
    }
  }
  const last = builder.end();
  if (isWanted(last)) yield last;
}

/** The rows that change the stored sessions of one key. `takesAway`: one of them removes a session or makes it less. */
export type SessionChange = {
  readonly sessionKey: number;
  readonly rows: readonly RowOf<"sessions">[];
  readonly takesAway: boolean;
};

type RowChange = { readonly sessionKey: number; readonly row: RowOf<"sessions">; readonly takesAway: boolean };

/** Joins the changes of a session key: where one row of it is wrong, the others may be wrong too. */
async function* bySession(changes: AsyncGenerator<RowChange>): AsyncGenerator<SessionChange> {
  let current: { sessionKey: number; rows: RowOf<"sessions">[]; takesAway: boolean } | undefined;
  for await (const { sessionKey, row, takesAway } of changes) {
    if (current?.sessionKey === sessionKey) {
      current.rows.push(row);
      current.takesAway ||= takesAway;
    } else {
      if (current !== undefined) yield current;
      current = { sessionKey, rows: [row], takesAway };
    }
  }
  if (current !== undefined) yield current;
}

/** Those of the changes, which are ordered by session key, that another read finds too. */
async function confirmedChanges(
  changes: readonly SessionChange[],
  readAgain: (keys: KeyRange) => Promise<AsyncGenerator<SessionChange>>,
): Promise<SessionChange[]> {
  const keys = { from: changes[0]?.sessionKey ?? 0, to: changes.at(-1)?.sessionKey ?? 0 };
  const asked = new Map(changes.map((change) => [change.sessionKey, JSON.stringify(change.rows)]));
  const confirmed = new Set<number>();
  for await (const { sessionKey, rows } of await readAgain(keys))
    if (asked.get(sessionKey) === JSON.stringify(rows)) confirmed.add(sessionKey);
  return changes.filter(({ sessionKey }) => confirmed.has(sessionKey));
}

/** The rows that turn `stored` into `made`. Both are ordered by session key and start. */
async function* differences(
  websiteId: string,
  made: AsyncGenerator<Session, undefined>,
  stored: AsyncGenerator<Session, undefined>,
): AsyncGenerator<RowChange> {
  let right = (await made.next()).value;
  let found = (await stored.next()).value;
  while (right !== undefined || found !== undefined) {
    const order = compare(websiteId, right, found);
    if (right !== undefined && order <= 0) {
      const { sessionKey } = right;
      if (found === undefined || order < 0) yield { sessionKey, row: sessionRow(websiteId, right), takesAway: false };
      else if (!isSame(right, found))
        yield { sessionKey, row: sessionRow(websiteId, right), takesAway: isLess(right, found) };
    }
    if (found !== undefined && order > 0)
      yield { sessionKey: found.sessionKey, row: goneRow(websiteId, found), takesAway: true };
    if (order <= 0) right = (await made.next()).value;
    if (order >= 0) found = (await stored.next()).value;
  }
}

/**
 * Which session sorts first; undefined sorts last. There is one row per key and place, so a start that moved within its
 * place is overwritten.
 */
function compare(websiteId: string, a: Session | undefined, b: Session | undefined): number {
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  if (a.sessionKey !== b.sessionKey) return a.sessionKey - b.sessionKey;
  return a.startUs === b.startUs ? 0 : sessionPlaceUs(websiteId, a.startUs) - sessionPlaceUs(websiteId, b.startUs);
}

/** Whether a session lacks something that the stored one has, as when events were not read. */
function isLess(made: Session, stored: Session): boolean {
  if (made.startUs > stored.startUs || made.lastActivityMs < stored.lastActivityMs) return true;
  if (made.isIdle || stored.isIdle) return made.isIdle && !stored.isIdle;
  return (
    made.pageCount < stored.pageCount || made.actionCount < stored.actionCount || made.clickCount < stored.clickCount
  );
}

function isSame({ context, ...session }: Session, { context: otherContext, ...other }: Session): boolean {
  const fields = Object.keys(session) as (keyof typeof session)[];
  return fields.every((field) => session[field] === other[field]) && isSameContext(context, otherContext);
}

function isSameContext(a: Context, b: Context): boolean {
  return a.every((value, index) => value === b[index]);
}

function sessionRow(websiteId: string, session: Session): RowOf<"sessions"> {
  const { lastActivityMs, context } = session;
  const gone = goneRow(websiteId, session);
  const columns = Object.fromEntries(contextColumns.map((column, index) => [column, context[index]]));
  const common = { ...gone.values, visitor_key: session.visitorKey, ...columns };
  if (session.isIdle) return { ...gone, values: { ...common, idle_until_ms: lastActivityMs } };
  return {
    ...gone,
    values: {
      ...common,
      session_id: session.sessionId,
      anonymous_id: session.anonymousId,
      last_activity_ms: lastActivityMs,
      page_count: session.pageCount,
      action_count: session.actionCount,
      click_count: session.clickCount,
      duration_seconds: session.durationSeconds,
      entry_page: session.entryPage,
      exit_page: session.exitPage,
    },
  };
}

/** The row with nothing but its keys, which stands for a session that no longer exists. */
function goneRow(websiteId: string, { sessionKey, startUs }: Session): RowOf<"sessions"> {
  return {
    table: "sessions",
    tsUs: sessionPlaceUs(websiteId, startUs),
    values: { website_id: websiteId, session_key: sessionKey, started: startUs },
  };
}
