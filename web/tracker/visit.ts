import { toJson } from "./json.ts";
import type { TrackerOptions } from "./options.ts";

/**
 * The visitor as events identify it: random ids, created here and never derived from the device. Empty if the service
 * recognises the visitor, by a hash of the day.
 */
export type Visit = {
  anonymousId?: string;
  sessionId?: string;
  sessionStartTime?: number;
  /** The visitor's last activity, Unix ms. */
  timestamp?: number;
  /** Pages viewed in the session. */
  page_count?: number;
};

/** What is stored. `since`, Unix ms, is never sent: it would tell visitors apart for months. */
type StoredVisit = Required<Visit> & { since: number };

/** A session ends after half an hour without activity. */
const sessionMs = 18e5;

/** 13 months, the longest that the CNIL exempts from consent (its guidelines on audience measurement). */
const maxAgeMs = 395 * 864e5;

/**
 * Random, with 4 characters for 3 bytes. Not randomUUID, which pages without TLS do not have. QuestDB stores up to 9
 * characters within the row and longer ones separately, so visitors and sessions have 8: among a million, the chance of
 * a collision is 1 in 500.
 */
export const randomId = (bytes: number) => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));

/**
 * Returns a function that reads the visit, begins a new session when the last one has ended, and stores it. The visit
 * is read again at each event, because another tab may have continued it. Without permission to store it is kept in
 * memory. By default the visit is empty, and nothing is stored.
 */
export function createVisit(
  kind: TrackerOptions["visitor"],
  isOn: () => boolean | undefined,
): (newPages?: number) => Visit {
  let visit: StoredVisit | undefined;
  /** Throws where the browser blocks storage. A missing visit does not parse, which is caught as well. */
  const storage = () => (isOn() && kind !== "none" ? localStorage : {}) as { lookout: string };
  return (newPages = 0) => {
    if (!kind || kind === "hash") return {};
    try {
      visit = JSON.parse(storage().lookout);
    } catch {}
    const now = Date.now();
    if (!visit || now - visit.timestamp > sessionMs) {
      const { sessionStartTime = 0, since = sessionStartTime, anonymousId } = visit || {};
      // Renewed only between sessions, so that a session at midnight has a single visitor.
      const isKept =
        kind === "persistent" ? now - since < maxAgeMs : Date().startsWith(new Date(sessionStartTime).toDateString());
      visit = {
        anonymousId: (isKept && anonymousId) || randomId(6),
        sessionId: randomId(6),
        page_count: 0,
        sessionStartTime: now,
        timestamp: now,
        since: isKept ? since : now,
      };
    }
    visit.timestamp = now;
    visit.page_count += newPages;
    try {
      storage().lookout = toJson(visit);
    } catch {}
    const { since, ...sent } = visit;
    return sent;
  };
}
