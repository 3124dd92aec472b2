/** Who visits, as events say it: random ids, made here and never derived from the device. */
export type Visit = {
  anonymousId: string;
  sessionId: string;
  sessionStartTime: number;
  /** When the visitor last did something, Unix ms. */
  timestamp: number;
  /** Pages viewed in the session. */
  page_count: number;
};

/** A session ends after half an hour without activity. */
const sessionMs = 18e5;

/** 128 random bits. Not randomUUID, which pages without TLS do not have. */
export const randomId = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

const dayOf = (ms: number) => new Date(ms).toDateString();

/**
 * Returns a function that reads the visit, begins a new session when the last one has ended, and keeps it. It is read again at each
 * event, because another tab may have gone on with it. What may not be stored is kept in memory.
 */
export function createVisit(mayStore: () => boolean, isPersistent: boolean): (newPages?: number) => Visit {
  let visit: Visit | undefined;
  /** Throws where the browser blocks storage. */
  const storage = (): Record<string, string> => (mayStore() ? localStorage : {});
  return (newPages = 0) => {
    try {
      visit = JSON.parse(storage()["lookout"] ?? "");
    } catch {}
    const now = Date.now();
    if (!visit || now - visit.timestamp > sessionMs)
      visit = {
        // Renewed only between sessions, so that a session at midnight stays one visitor's.
        anonymousId:
          visit && (isPersistent || dayOf(visit.sessionStartTime) === dayOf(now)) ? visit.anonymousId : randomId(),
        sessionId: randomId(),
        sessionStartTime: now,
        timestamp: 0,
        page_count: 0,
      };
    visit.timestamp = now;
    visit.page_count += newPages;
    try {
      storage()["lookout"] = JSON.stringify(visit);
    } catch {}
    return visit;
  };
}
