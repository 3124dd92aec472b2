import { expect, test } from "vitest";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import {
  shownExcluded,
  shownPresence,
  shownPresenceOfEach,
  shownWebsites,
} from "../../../src/query/daily/shownVisitors.ts";

const audience = new Map([
  ["a", 10],
  ["b", 5],
]);

function typeOf(name: string) {
  const type = catalogue.get(name);
  if (type === undefined) throw new Error(`there is no type ${name}`);
  return type;
}

test("who is here now is rounded down, and null if they are too few", () => {
  const stats = typeOf("realtime_recent_stats");
  expect(shownPresence(stats, [{ visitors: 27, active_sessions: 31 }], 10)).toEqual([
    { visitors: 20, active_sessions: 30 },
  ]);
  expect(shownPresence(stats, [{ visitors: 9, active_sessions: 12 }], 10)).toEqual([
    { visitors: null, active_sessions: null },
  ]);
  expect(shownPresence(stats, [{ visitors: 0, active_sessions: 0 }], 10)).toEqual([
    { visitors: null, active_sessions: null },
  ]);
});

test("a website with one visitor now is answered like one without any, and the order tells no more than the figures", () => {
  const rows = [
    { website_id: "c", active_users: 27 },
    { website_id: "a", active_users: 25 },
    { website_id: "d", active_users: 20 },
    { website_id: "b", active_users: 4 },
  ];
  const all = { offset: 0, limit: 10 };
  const shown = [
    { website_id: "c", active_users: 27 },
    { website_id: "a", active_users: 20 },
    { website_id: "d", active_users: 20 },
    { website_id: "b", active_users: null },
    { website_id: "e", active_users: null },
  ];
  const websites = new Map([...audience, ["e", 10]]);
  expect(shownPresenceOfEach(rows, websites, all)).toEqual(shown);
  expect(shownPresenceOfEach(rows, websites, { offset: 2, limit: 1 })).toEqual(shown.slice(2, 3));
});

test("today is rounded down, days that are over are not", () => {
  const usual = { usual_visitors: 30, usual_lowest: 22, usual_highest: 41, usual_days: 4 };
  const noUsual = { usual_visitors: null, usual_lowest: null, usual_highest: null, usual_days: 0 };
  const today = { website_id: "a", visitors: 27, sessions: 39, ...usual, since: null };
  expect(shownWebsites([today], audience)).toEqual([{ ...today, visitors: 20, sessions: 30, ...noUsual }]);
  expect(shownWebsites([{ ...today, visitors: 9 }], audience)).toMatchObject([{ visitors: null, sessions: null }]);
  const trend = { website_id: "a", first_day: "2026-01-01", visitors_by_day: [27, 9, null, 0] };
  expect(shownWebsites([trend], audience)).toEqual([{ ...trend, visitors_by_day: [27, null, null, null] }]);
  expect(shownWebsites([{ ...today, website_id: "c" }], audience)).toEqual([{ ...today, website_id: "c" }]);
});

test("what was left out has no figures of rules and objections", () => {
  const row = { date: "2026-01-01", count: 8, bots: 8, do_not_track: 0, blocked_by_rule: 0, invalid: 0 };
  expect(shownExcluded(typeOf("excluded_traffic_by_day"), [row])).toEqual([
    { ...row, do_not_track: null, blocked_by_rule: null },
  ]);
  const table = { reason: "bot", kind: "ai_crawler", name: "GPTBot", operator: "OpenAI", count: 8, percentage: 100 };
  expect(shownExcluded(typeOf("excluded_traffic"), [table])).toEqual([table]);
});
