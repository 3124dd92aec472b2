import type { DataRow, DataTable } from "../../kit/oracle/dataSet.ts";

/** Few visits whose figures are counted by hand, from the first to the fifth of March 2026. */
export const handMadeVisits: Readonly<Record<DataTable, readonly DataRow[]>> = {
  events: [
    // A: over a midnight, with its source in its second event, its campaign and country in its fourth, its language in an exit.
    view(1, "23:50", "/", { ...visitor(1) }),
    view(1, "23:58", "/pricing", { ...visitor(1), referrer_source: "g.example", referrer_group: "search" }),
    view(2, "00:04", "/late", { ...visitor(1), referrer_source: "later.example", referrer_group: "social" }),
    custom(2, "00:05", "sign_up", { ...visitor(1), path: "/pricing", utm_campaign: "spring", country: "DE" }),
    exit(2, "00:06", { ...visitor(1), path: "/late", language: "de-DE", time_on_page_ms: 60_000 }),
    // B: a bounce.
    view(1, "10:00", "/", { ...visitor(2), referrer_group: "direct", time_on_page_ms: 5_000 }),
    // C: the same key 30 minutes later, which came from elsewhere than its first event says.
    view(1, "10:30", "/docs", { ...visitor(2), referrer_group: "direct" }),
    custom(1, "10:31", "buy", { ...visitor(2), path: "/docs", referrer_group: "referral" }),
    // D: no visit.
    exit(1, "11:00", { ...visitor(3), path: "/left", country: "FR" }),
    // E is the link below. Events without a visitor: only the first two count.
    custom(1, "13:00", "buy", { path: "/api", country: "US" }),
    view(2, "09:00", "/lone", { utm_campaign: "autumn" }),
    exit(1, "13:05", { path: "/api", country: "ES" }),
    // G: two views at the same moment, of two ids.
    view(2, "15:00", "/x", { ...visitor(5), session_key: 5 }),
    view(2, "15:00", "/y", { ...visitor(9), session_key: 5 }),
    // H: fills the fourth day, so it ends with it.
    ...Array.from({ length: 52 }, (_, index) => custom(3, "23:50", "ping", visitor(6), index * 29)),
  ].map((row, index) => ({ ...row, event_key: index })),
  outgoing_links: [
    { ...at(2, "00:07"), ...visitor(1), href: "https://out.example/a", path: "/late" },
    { ...at(1, "12:00"), ...visitor(4), href: "https://out.example/a", path: "/" },
    { ...at(1, "14:00"), anonymous_id: "lone", href: "https://out.example/b", path: "/" },
  ].map((row, index) => ({ ...row, event_key: index })),
  performance_metrics: [],
  script_errors: [],
};

function at(day: number, time: string, minutesLater = 0): DataRow {
  return { ts: Date.parse(`2026-03-0${day}T${time}:00Z`) + minutesLater * 60_000 };
}

function visitor(key: number): DataRow {
  return { visitor_key: key, session_key: key, session_id: `s${key}`, anonymous_id: `v${key}` };
}

function view(day: number, time: string, path: string, more: DataRow): DataRow {
  return { ...at(day, time), event_type: "page_view", name: "page_view", path, ...more };
}

function custom(day: number, time: string, name: string, more: DataRow, minutesLater = 0): DataRow {
  return { ...at(day, time, minutesLater), event_type: "custom", name, ...more };
}

function exit(day: number, time: string, more: DataRow): DataRow {
  return { ...at(day, time), event_type: "page_exit", name: "page_exit", ...more };
}
