/**
 * What a session is (specification part 2), the one definition for stored records and for answers to queries.
 *
 * A session is a group of events of one visitor: page views, custom events, ends of page views and clicks on outgoing links with the
 * same session key, which comes from the sender's session id, else from the visitor's. It ends
 *
 * - before an event that comes 30 minutes or more after the one before it, whatever session id the sender still gives;
 * - with a UTC day throughout which it lasted. No person does that, but a server that calls itself one session does.
 *
 * Ends of page views alone are no session: a tab that was left open is closed. A session lasts from its first to its last event, or as
 * long as its longest time on a page if that is more; a time on a page of 30 minutes or more was not spent there and does not count.
 */

/** Without an event for so long, a session is over. */
export const inactivityMs = 1_800_000;

export const dayUs = 86_400_000_000;

/** An event as far as its session needs it. Text that is not there is undefined, never empty; `us` is Unix time in microseconds. */
export type Activity = {
  readonly us: number;
  readonly eventKey: number;
  readonly kind: "page_view" | "page_exit" | "custom" | "link";
  readonly sessionKey: number;
  readonly visitorKey: number | undefined;
  readonly sessionId: string | undefined;
  readonly anonymousId: string | undefined;
  readonly path: string | undefined;
  readonly utmSource: string | undefined;
  readonly utmCampaign: string | undefined;
  readonly country: string | undefined;
  readonly timeOnPageMs: number | undefined;
};

/** A session record. Text is that of the first event that has one; pages are those of page views. */
export type Session = {
  readonly sessionKey: number;
  readonly startUs: number;
  lastActivityMs: number;
  visitorKey: number | undefined;
  sessionId: string | undefined;
  anonymousId: string | undefined;
  pageCount: number;
  durationSeconds: number;
  entryPage: string | undefined;
  exitPage: string | undefined;
  utmSource: string | undefined;
  utmCampaign: string | undefined;
  country: string | undefined;
};

/** The session in the making. `chainStartUs` is where events without a pause began, which may be in an earlier session. */
type Open = { session: Session; chainStartUs: number; lastUs: number; longestMs: number; hasAction: boolean };

/** Makes sessions of activities that come ordered by session key, time and event key. */
export class SessionBuilder {
  #open: Open | undefined;

  /** Takes the next activity and gives back the session that it ends, if it ends one. */
  add(activity: Activity): Session | undefined {
    const open = this.#open;
    if (open !== undefined && open.session.sessionKey === activity.sessionKey) {
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

  /** The session of the last activities, if there is one. */
  end(): Session | undefined {
    const open = this.#open;
    this.#open = undefined;
    return finished(open);
  }
}

/** Whether a chain without a pause leaves a UTC day that it filled, and so its session. */
function isCutByDay(open: Open, us: number): boolean {
  const day = Math.floor(us / dayUs);
  return day > Math.floor(open.lastUs / dayUs) && day - Math.floor(open.chainStartUs / dayUs) >= 2;
}

function opened(activity: Activity, chainStartUs: number): Open {
  const session: Session = {
    sessionKey: activity.sessionKey,
    startUs: activity.us,
    lastActivityMs: 0,
    visitorKey: undefined,
    sessionId: undefined,
    anonymousId: undefined,
    pageCount: 0,
    durationSeconds: 0,
    entryPage: undefined,
    exitPage: undefined,
    utmSource: undefined,
    utmCampaign: undefined,
    country: undefined,
  };
  const open: Open = { session, chainStartUs, lastUs: activity.us, longestMs: 0, hasAction: false };
  extend(open, activity);
  return open;
}

function extend(open: Open, activity: Activity): void {
  const { session } = open;
  open.lastUs = activity.us;
  if (activity.kind !== "page_exit") open.hasAction = true;
  const { timeOnPageMs = 0 } = activity;
  if (timeOnPageMs < inactivityMs) open.longestMs = Math.max(open.longestMs, timeOnPageMs);
  if (activity.kind === "page_view") {
    session.pageCount += 1;
    session.entryPage ??= activity.path;
    session.exitPage = activity.path ?? session.exitPage;
  }
  session.visitorKey ??= activity.visitorKey;
  session.sessionId ??= activity.sessionId;
  session.anonymousId ??= activity.anonymousId;
  session.utmSource ??= activity.utmSource;
  session.utmCampaign ??= activity.utmCampaign;
  session.country ??= activity.country;
}

function finished(open: Open | undefined): Session | undefined {
  if (open === undefined || !open.hasAction) return undefined;
  const { session, lastUs, longestMs } = open;
  session.lastActivityMs = Math.floor(lastUs / 1_000);
  session.durationSeconds = Math.max(lastUs - session.startUs, longestMs * 1_000) / 1_000_000;
  return session;
}
