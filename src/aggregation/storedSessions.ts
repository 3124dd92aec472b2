import { sessionPlaceUs } from "../store/questdb/sessionPlace.ts";
import type { RowOf } from "../store/questdb/tables.ts";
import { appliedSoonMs, whenApplied } from "../store/questdb/whenApplied.ts";
import { startOfUtcDay } from "../time/utcDay.ts";
import type { AggregationStores } from "./dailyAggregates.ts";
import { type DayScope, isInScope, readActivities, readNearKeys, readStoredSessions } from "./readActivities.ts";
import { contextColumns, type SessionContext } from "./sessionContext.ts";
import { type Session, SessionBuilder } from "./sessions.ts";

/**
 * Rows per write. Each commit rewrites what the day's partition already holds, so a large website's day should be
 * written in few.
 */
const rowsPerWrite = 5_000;

/**
 * Makes the stored sessions of a website that an event of a UTC day (YYYY-MM-DD) may have changed equal to those that
 * its events give. Resolves to the number of rows written; 0 if all was right, so it is safe to repeat.
 *
 * Only differences are written. A session that no longer exists, because a late event joined it to another or moved its
 * start, is overwritten with nulls under the same key, as QuestDB cannot delete rows. Rejects with AbortError when
 * `signal` aborts.
 */
export async function correctSessions(
  stores: AggregationStores,
  websiteId: string,
  day: string,
  signal: AbortSignal,
): Promise<number> {
  const { questdb, rows } = stores;
  // Rows that are written but cannot be read yet would look missing.
  await whenApplied(questdb, ["events", "outgoing_links", "sessions"], signal, appliedSoonMs);
  const dayStartUs = startOfUtcDay(day) * 1_000;
  const scope: DayScope = { websiteId, dayStartUs, nearKeys: await readNearKeys(questdb, websiteId, dayStartUs) };
  let written = 0;
  let waiting: RowOf<"sessions">[] = [];
  const write = async () => {
    signal.throwIfAborted();
    await rows.write(waiting);
    written += waiting.length;
    waiting = [];
  };
  for await (const row of differences(
    websiteId,
    madeSessions(stores, scope, signal),
    readStoredSessions(questdb, scope),
  )) {
    waiting.push(row);
    if (waiting.length === rowsPerWrite) await write();
  }
  if (waiting.length > 0) await write();
  // The caller may read the result at once.
  if (written > 0) await whenApplied(questdb, ["sessions"], signal, appliedSoonMs);
  return written;
}

/** The sessions of the scope as its events give them, ordered by session key and start. */
async function* madeSessions(
  { questdb }: AggregationStores,
  scope: DayScope,
  signal: AbortSignal,
): AsyncGenerator<Session, undefined> {
  const builder = new SessionBuilder();
  const isWanted = (session: Session | undefined): session is Session =>
    session !== undefined && isInScope(scope, session.sessionKey, session.startUs);
  for await (const activity of readActivities(questdb, scope)) {
    const session = builder.add(activity);
    if (isWanted(session)) {
      signal.throwIfAborted();
      yield session;
    }
  }
  const last = builder.end();
  if (isWanted(last)) yield last;
}

/** The rows that turn `stored` into `made`. Both are ordered by session key and start. */
async function* differences(
  websiteId: string,
  made: AsyncGenerator<Session, undefined>,
  stored: AsyncGenerator<Session, undefined>,
): AsyncGenerator<RowOf<"sessions">> {
  let right = (await made.next()).value;
  let found = (await stored.next()).value;
  while (right !== undefined || found !== undefined) {
    const order = compare(websiteId, right, found);
    if (right !== undefined && order <= 0) {
      if (found === undefined || order < 0 || !isSame(right, found)) yield sessionRow(websiteId, right);
    }
    if (found !== undefined && order > 0) yield goneRow(websiteId, found);
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

function isSame({ context, ...session }: Session, { context: otherContext, ...other }: Session): boolean {
  const fields = Object.keys(session) as (keyof typeof session)[];
  return fields.every((field) => session[field] === other[field]) && isSameContext(context, otherContext);
}

function isSameContext(a: SessionContext, b: SessionContext): boolean {
  return a.bits === b.bits && a.values.every((value, index) => value === b.values[index]);
}

function sessionRow(websiteId: string, session: Session): RowOf<"sessions"> {
  const { sessionKey, startUs, lastActivityMs, context } = session;
  const tsUs = sessionPlaceUs(websiteId, startUs);
  const keys = { website_id: websiteId, session_key: sessionKey, started: startUs };
  const columns = Object.fromEntries(contextColumns.map((column, index) => [column, context.values[index]]));
  const common = { ...keys, visitor_key: session.visitorKey, context_bits: context.bits, ...columns };
  if (session.isIdle) return { table: "sessions", tsUs, values: { ...common, idle_until_ms: lastActivityMs } };
  return {
    table: "sessions",
    tsUs,
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

function goneRow(websiteId: string, session: Session): RowOf<"sessions"> {
  return {
    table: "sessions",
    tsUs: sessionPlaceUs(websiteId, session.startUs),
    values: { website_id: websiteId, session_key: session.sessionKey, started: session.startUs },
  };
}
