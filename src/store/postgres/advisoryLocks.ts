/**
 * The numbers of PostgreSQL's advisory locks, in one place because two equal ones would wait for each other.
 *
 * `start`, `claimExpiry` … are single locks. Those "for each" text are taken with `pg_advisory_lock(number,
 * hashtext(text))`.
 */
export const advisoryLocks = {
  /** Migrations and first accounts. */
  start: 7_253_961,
  /** Removing expired claims of `client_event_id`. */
  claimExpiry: 7_253_962,
  /** Making the day's salt. */
  dailySalt: 7_253_963,
  /**
   * Each commit to QuestDB holds it in shared mode. Taking it exclusively means: every earlier commit has ended, and
   * each later one sees what PostgreSQL says by then. With several QuestDBs for each shard.
   */
  commit: 7_253_964,
  /** For each website and day: its stored sessions are being corrected. */
  touchedDay: 7_253_965,
  /** For each table: a new segment of its write-ahead log is being started. */
  newSegments: 7_253_966,
  /** For each table and day: rows past their retention are being erased. */
  expiredDay: 7_253_967,
  /** A backup is being made, or what backups left behind is being removed. */
  backup: 7_253_968,
  /** Encrypting the secrets anew with another key. */
  rotation: 7_253_969,
  /** For each replica: it makes up for erasures that it missed. */
  catchUp: 7_253_970,
  /** For each idempotency key: a call with it creates something. */
  idempotencyKey: 7_253_971,
} as const;
