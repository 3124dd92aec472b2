/**
 * Settings of earlier versions, by name. Each process names at its start those that are still set.
 */

const s3Parts = ["ENDPOINT", "REGION", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"];

/** The settings that replace others which say where data is and what opens it: to go on without them would be to go on elsewhere. */
export const replacedSettings: Readonly<Record<string, string>> = Object.fromEntries(
  ["EXPORT_S3", "BACKUP_S3"].flatMap((prefix) => s3Parts.map((part) => [`${prefix}_${part}`, `S3_${part}`])),
);

const fixed = "its value is fixed, see docs/operate/settings.md";
const cacheTime = "CACHE_MS is the time of all caches";
const cacheSize = "CACHE_MB is the size of all caches";

/** What takes the place of the others. */
export const removedSettings: Readonly<Record<string, string>> = {
  STORE_OPERATIONS_PORT: "CONSUMER_OPERATIONS_PORT takes its place",
  KEY_CACHE_MS: cacheTime,
  WEBSITE_CACHE_MS: cacheTime,
  LINK_CACHE_MS: cacheTime,
  STATUS_PAGE_CACHE_MS: cacheTime,
  CACHED_KEYS: cacheSize,
  CACHED_WEBSITES: cacheSize,
  CACHED_LINKS: cacheSize,
  CACHED_STATUS_PAGES: cacheSize,
  DATABASE_LOOK_UP_TIMEOUT_MS: fixed,
  DATABASE_TIMEOUT_MS: fixed,
  DISK_MIN_TIME_LEFT_MS: fixed,
  EXPORT_PART_ROWS: fixed,
  HEADERS_TIMEOUT_MS: fixed,
  INGEST_MAX_CLOCK_AHEAD_MS: fixed,
  INGEST_MAX_EVENT_AGE_DAYS: fixed,
  INVITATION_MS: fixed,
  KAFKA_TIMEOUT_MS: fixed,
  KEEP_ALIVE_TIMEOUT_MS: fixed,
  KEY_USE_MS: fixed,
  MAX_HEADER_BYTES: fixed,
  MCP_MAX_ANSWER_CHARACTERS: fixed,
  NOTIFICATION_RETRY_MS: fixed,
  PASSWORD_RESET_MS: fixed,
  QUERY_MAX_FILTER_VALUES: fixed,
  QUESTDB_COMMIT_TIMEOUT_MS: fixed,
  QUESTDB_FLUSH_ROWS: fixed,
  QUESTDB_MAX_ROWS_READ: fixed,
  QUESTDB_MAX_WAITING_READS: fixed,
  QUESTDB_MAX_WAITING_READS_PER_WEBSITE: fixed,
  QUESTDB_READS_PER_WEBSITE: fixed,
  RATE_LIMIT_WINDOW_MS: fixed,
  READ_MAX_LAG_MS: fixed,
  REQUEST_TIMEOUT_MS: fixed,
  RETENTION_CANCELLABLE_MS: fixed,
  SIGN_IN_ATTEMPTS_PER_ACCOUNT: fixed,
  SIGN_IN_ATTEMPTS_PER_ADDRESS: fixed,
  SIGN_IN_WINDOW_MS: fixed,
  UPTIME_MAX_BODY_BYTES: fixed,
  WATCH_INTERVAL_MS: fixed,
  WATCH_MAX_PUBLIC_STREAMS_PER_ADDRESS: fixed,
  WATCH_MAX_STREAMS: fixed,
  WATCH_MAX_STREAMS_PER_WEBSITE: fixed,
  WATCH_PUBLIC_PERCENT: fixed,
};
