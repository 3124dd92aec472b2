package dev.lookout;

/**
 * Whether a call may be made more than once: as it is, as it is because it deletes, with an idempotency key, because its events have ids, or
 * not at all.
 */
enum Repeats {
  SAFE,
  DELETES,
  WITH_KEY,
  WITH_EVENT_IDS,
  NO
}
