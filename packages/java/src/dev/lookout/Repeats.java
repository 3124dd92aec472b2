package dev.lookout;

/** Whether a call may be made more than once: as it is, with an idempotency key, or not at all. */
enum Repeats {
  SAFE,
  WITH_KEY,
  NO
}
