import { toJson } from "./json.ts";

/** The visitor as events identify it: random ids, created here and never derived from the device. */
export type Visit = {
  anonymousId: string;
  sessionId: string;
  sessionStartTime: number;
  /** The visitor's last activity, Unix ms. */
  timestamp: number;
  /** Pages viewed in the session. */
  page_count: number;
};

/** A session ends after half an hour without activity. */
const sessionMs = 18e5;

/**
 * Random, with 4 characters for 3 bytes. Not randomUUID, which pages without TLS do not have. QuestDB stores up to 9
 * characters within the row and longer ones separately, so visitors and sessions have 8: among a million, the chance of
 * a collision is 1 in 500.
 */
export const randomId = (bytes: number) => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))));

/**
 * Returns a function that reads the visit, begins a new session when the last one has ended, and stores it. The visit
 * is read again at each event, because another tab may have continued it. Without permission to store it is kept in
 * memory.
 */
export function createVisit(mayStore: () => boolean | undefined, isPersistent: boolean): (newPages?: number) => Visit {
  let visit: Visit | undefined;
  /** Throws where the browser blocks storage. A missing visit does not parse, which is caught as well. */
  const storage = () => (mayStore() ? localStorage : {}) as { lookout: string };
  return (newPages = 0) => {
    try {
      visit = JSON.parse(storage().lookout);
    } catch {}
    const now = Date.now();
    if (!visit || now - visit.timestamp > sessionMs)
      visit = {
        // Renewed only between sessions, so that a session at midnight has a single visitor.
        anonymousId:
          visit && (isPersistent || Date().startsWith(new Date(visit.sessionStartTime).toDateString()))
            ? visit.anonymousId
            : randomId(6),
        sessionId: randomId(6),
        page_count: 0,
        sessionStartTime: now,
      } as Visit;
    visit.timestamp = now;
    visit.page_count += newPages;
    try {
      storage().lookout = toJson(visit);
    } catch {}
    return visit;
  };
}
