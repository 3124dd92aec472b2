import { dayUs } from "../time/utcDay.ts";
import { type ActivityKind, type Context, ContextBuilder } from "./sessionContext.ts";

/**
 * The definition of a session (specification part 2), for stored sessions and for answers to queries alike.
 *
 * A session is a group of events of one visitor: page views, custom events, page_exit events and clicks on outgoing
 * links with the same session key, which is derived from the sender's session id, else from the visitor's. It ends
 *
 * - before an event that comes 30 minutes or more after the one before it, even if the sender keeps its session id;
 * - at the end of a UTC day throughout which it lasted. No person does that, but a server that sends one session id
 *   does.
 *
 * page_exit events alone are no session: a tab that was left open is closed. They are idle time, stored with little
 * more than its times, because it becomes part of a session if more events arrive next to it. A session lasts from its
 * first to its last event, or as long as its longest time on a page if that is more. A time on page of 30 minutes or
 * more is not plausible and does not count.
 */

/** A session ends after this long without an event. */
export const inactivityMs = 1_800_000;

/**
 * The fields of an event that its session needs. Missing text is undefined, never empty; `us` is Unix time in
 * microseconds.
 */
export type Activity = {
  readonly us: number;
  readonly eventKey: number;
  readonly kind: ActivityKind;
  readonly sessionKey: number;
  readonly visitorKey: number | undefined;
  readonly sessionId: string | undefined;
  readonly anonymousId: string | undefined;
  readonly path: string | undefined;
  readonly context: Context;
  readonly timeOnPageMs: number | undefined;
};

/**
 * A stored session. Text is that of the first event that has one; pages are those of page views; of several visitor
 * keys the largest is taken. Idle time has nothing but its key, its times, its visitor and its context.
 */
export type Session = {
  readonly sessionKey: number;
  readonly startUs: number;
  readonly isIdle: boolean;
  readonly lastActivityMs: number;
  readonly visitorKey: number | undefined;
  readonly sessionId: string | undefined;
  readonly anonymousId: string | undefined;
  readonly pageCount: number;
  readonly actionCount: number;
  readonly clickCount: number;
  readonly durationSeconds: number;
  readonly entryPage: string | undefined;
  readonly exitPage: string | undefined;
  readonly context: Context;
};

/**
 * A session being built. `chainStartUs` is where its events without a pause began, which may be in an earlier session.
 */
type Open = {
  readonly sessionKey: number;
  readonly startUs: number;
  readonly chainStartUs: number;
  readonly context: ContextBuilder;
  lastUs: number;
  longestMs: number;
  views: number;
  actions: number;
  clicks: number;
  visitorKey: number | undefined;
  sessionId: string | undefined;
  anonymousId: string | undefined;
  entryPage: string | undefined;
  exitPage: string | undefined;
};

/** Builds sessions and idle times from activities ordered by session key, time and event key. */
export class SessionBuilder {
  #open: Open | undefined;

  /** Adds the next activity. Returns the session that it ends, if any. */
  add(activity: Activity): Session | undefined {
    const open = this.#open;
    if (open !== undefined && open.sessionKey === activity.sessionKey) {
      const pauseUs = activity.us - open.lastUs;
      if (pauseUs < inactivityMs * 1_000) {
        if (!isCutByDay(open, activity.us)) {
          extend(open, activity);
          return undefined;
        }
        this.#open = opened(activity, open.chainStartUs);
        return finished(open);
      }
    }
    this.#open = opened(activity, activity.us);
    return finished(open);
  }

  /** Returns the session of the last activities, if there is one. */
  end(): Session | undefined {
    const open = this.#open;
    this.#open = undefined;
    return finished(open);
  }
}

/** Whether events without a pause continue past a UTC day that they filled, which ends the session. */
function isCutByDay(open: Open, us: number): boolean {
  const day = Math.floor(us / dayUs);
  return day > Math.floor(open.lastUs / dayUs) && day - Math.floor(open.chainStartUs / dayUs) >= 2;
}

function opened(activity: Activity, chainStartUs: number): Open {
  const open: Open = {
    sessionKey: activity.sessionKey,
    startUs: activity.us,
    chainStartUs,
    context: new ContextBuilder(),
    lastUs: activity.us,
    longestMs: 0,
    views: 0,
    actions: 0,
    clicks: 0,
    visitorKey: undefined,
    sessionId: undefined,
    anonymousId: undefined,
    entryPage: undefined,
    exitPage: undefined,
  };
  extend(open, activity);
  return open;
}

function extend(open: Open, activity: Activity): void {
  const { kind, timeOnPageMs = 0, visitorKey } = activity;
  open.lastUs = activity.us;
  if (timeOnPageMs < inactivityMs) open.longestMs = Math.max(open.longestMs, timeOnPageMs);
  if (kind === "page_view") {
    open.views += 1;
    open.entryPage ??= activity.path;
    open.exitPage = activity.path ?? open.exitPage;
  }
  if (kind === "custom") open.actions += 1;
  if (kind === "link") open.clicks += 1;
  if (visitorKey !== undefined) open.visitorKey = Math.max(open.visitorKey ?? visitorKey, visitorKey);
  open.sessionId ??= activity.sessionId;
  open.anonymousId ??= activity.anonymousId;
  open.context.add(activity);
}

function finished(open: Open | undefined): Session | undefined {
  if (open === undefined) return undefined;
  const { sessionKey, startUs, lastUs, longestMs } = open;
  const lastActivityMs = Math.floor(lastUs / 1_000);
  const { visitorKey } = open;
  const context = open.context.finish();
  if (open.views + open.actions + open.clicks === 0)
    return idleTime({ sessionKey, startUs, lastActivityMs, visitorKey, context });
  return {
    sessionKey,
    startUs,
    isIdle: false,
    lastActivityMs,
    visitorKey,
    sessionId: open.sessionId,
    anonymousId: open.anonymousId,
    pageCount: open.views,
    actionCount: open.actions,
    clickCount: open.clicks,
    durationSeconds: Math.max(lastUs - startUs, longestMs * 1_000) / 1_000_000,
    entryPage: open.entryPage,
    exitPage: open.exitPage,
    context,
  };
}

/** The stored record of page_exit events without other events: an idle time. */
export function idleTime(
  time: Pick<Session, "sessionKey" | "startUs" | "lastActivityMs" | "visitorKey" | "context">,
): Session {
  return {
    ...time,
    isIdle: true,
    sessionId: undefined,
    anonymousId: undefined,
    pageCount: 0,
    actionCount: 0,
    clickCount: 0,
    durationSeconds: 0,
    entryPage: undefined,
    exitPage: undefined,
  };
}
