/**
 * The numbers of PostgreSQL's advisory locks, in one place because two equal ones would wait for each other.
 *
 * A lock is one of its kind, or one for each text where `pg_advisory_lock(number, hashtext(text))` is asked for.
 */
export const advisoryLocks = {
  /** Migrations and first accounts. */
  start: 7_253_961,
  /** Removing expired claims of `client_event_id`. */
  claimExpiry: 7_253_962,
  /** Making the day's salt. */
  dailySalt: 7_253_963,
  /**
   * Shared by each commit to QuestDB while it lasts. Whoever holds it alone knows that every commit from before has ended and that each later
   * one will see what PostgreSQL says by then.
   */
  commit: 7_253_964,
  /** For each website and day: its stored sessions are being made. */
  touchedDay: 7_253_965,
  /** For each table: new segments of its write-ahead log. */
  newSegments: 7_253_966,
  /** For each table and day: rows beyond their retention are being erased. */
  expiredDay: 7_253_967,
} as const;
