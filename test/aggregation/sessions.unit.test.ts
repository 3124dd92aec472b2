import { describe, expect, it } from "vitest";
import { type ContextColumn, contextColumns } from "../../src/aggregation/sessionContext.ts";
import { type Activity, type Session, SessionBuilder } from "../../src/aggregation/sessions.ts";

const minuteUs = 60_000_000;
const dayStartUs = Date.parse("2026-11-20T00:00:00Z") * 1_000;

function activity(atMinutes: number, more: Partial<Activity> = {}): Activity {
  return {
    us: dayStartUs + Math.round(atMinutes * minuteUs),
    eventKey: 1,
    kind: "page_view",
    sessionKey: 7,
    visitorKey: 3,
    sessionId: "s",
    anonymousId: "v",
    path: "/",
    context: contextOf({}),
    timeOnPageMs: undefined,
    ...more,
  };
}

function contextOf(values: Partial<Record<ContextColumn, string>>): (string | undefined)[] {
  return contextColumns.map((column) => values[column]);
}

function sessionsOf(activities: readonly Activity[]): Session[] {
  const builder = new SessionBuilder();
  const made = [...activities.map((one) => builder.add(one)), builder.end()];
  return made.filter((session) => session !== undefined);
}

/** Start and duration in minutes. */
function spans(activities: readonly Activity[]): [number, number][] {
  const sessions = sessionsOf(activities).filter(({ isIdle }) => !isIdle);
  return sessions.map((session) => [(session.startUs - dayStartUs) / minuteUs, session.durationSeconds / 60]);
}

describe("Session record (2): 30 minutes without activity end a session (8)", () => {
  it("lasts while events come within 30 minutes of each other, and ends before one that comes 30 minutes later", () => {
    expect(spans([activity(0), activity(29.999), activity(59.9)])).toEqual([[0, 59.9]]);
    expect(spans([activity(0), activity(30), activity(61)])).toEqual([
      [0, 0],
      [30, 0],
      [61, 0],
    ]);
  });

  it("never joins events with different session ids", () => {
    expect(spans([activity(0), activity(1, { sessionKey: 8 })])).toHaveLength(2);
  });

  it("is extended by custom events, clicks on outgoing links and page exits", () => {
    const kinds = ["custom", "link", "page_exit"] as const;
    expect(spans(kinds.map((kind, index) => activity(index * 20, { kind })))).toEqual([[0, 40]]);
  });

  it("is not created by a page exit alone, which is a tab that is closed", () => {
    expect(spans([activity(0), activity(120, { kind: "page_exit", timeOnPageMs: 7_200_000 })])).toEqual([[0, 0]]);
  });

  it("lasts as long as its longest time on a page, if that time is possible", () => {
    expect(spans([activity(0, { timeOnPageMs: 90_000 })])).toEqual([[0, 1.5]]);
    expect(spans([activity(0, { timeOnPageMs: 1_800_000 })])).toEqual([[0, 0]]);
  });

  it("crosses midnight, but ends at the end of a UTC day that it filled", () => {
    expect(spans([activity(1_430), activity(1_450)])).toEqual([[1_430, 20]]);
    const everyTenMinutes = Array.from({ length: 6 * 24 * 4 }, (_, index) => activity(600 + index * 10));
    expect(spans(everyTenMinutes)).toEqual([
      [600, 2_880 - 600 - 10],
      [2_880, 1_430],
      [4_320, 1_430],
      [5_760, 590],
    ]);
  });

  it("takes its pages from page views and each other column from the first event that has a value", () => {
    const [session] = sessionsOf([
      activity(0, {
        kind: "custom",
        path: "/custom",
        sessionId: undefined,
        visitorKey: undefined,
        context: contextOf({ utm_source: "mail" }),
      }),
      activity(1, { path: "/in", context: contextOf({ country: "DE" }) }),
      activity(2, {
        path: "/out",
        visitorKey: 2,
        context: contextOf({ utm_source: "ad", utm_campaign: "spring", country: "FR" }),
      }),
      activity(3, { kind: "page_exit", path: "/in" }),
    ]);
    expect(session).toEqual({
      sessionKey: 7,
      startUs: dayStartUs,
      isIdle: false,
      lastActivityMs: dayStartUs / 1_000 + 180_000,
      visitorKey: 3,
      sessionId: "s",
      anonymousId: "v",
      pageCount: 2,
      actionCount: 1,
      clickCount: 0,
      durationSeconds: 180,
      entryPage: "/in",
      exitPage: "/out",
      context: contextOf({ utm_source: "mail", utm_campaign: "spring", country: "DE" }),
    });
  });

  it("has the group of its first event that came from somewhere; direct stands for nowhere", () => {
    const groupOf = (...groups: (string | undefined)[]) => {
      const activities = groups.map((group, minute) =>
        activity(minute, { context: contextOf(group === undefined ? {} : { referrer_group: group }) }),
      );
      return sessionsOf(activities)[0]?.context[contextColumns.indexOf("referrer_group")];
    };
    expect(groupOf("direct", undefined, "email", "search")).toBe("email");
    expect(groupOf("search", "direct")).toBe("search");
    expect(groupOf("direct", "direct")).toBeUndefined();
  });

  it("keeps the times of page exits without a session, as a later event may join them", () => {
    const [idle] = sessionsOf([activity(0, { kind: "page_exit" }), activity(5, { kind: "page_exit" })]);
    expect(idle).toMatchObject({
      sessionKey: 7,
      startUs: dayStartUs,
      isIdle: true,
      lastActivityMs: dayStartUs / 1_000 + 300_000,
      visitorKey: 3,
      sessionId: undefined,
    });
  });
});
