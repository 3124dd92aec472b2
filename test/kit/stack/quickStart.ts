/**
 * Environment of servers that live for minutes. Of QuestDB: the JVM's second compiler uses more processor time in the minutes that tests
 * take than it saves, a fifth of all that the 576 questions of storedSessions.long.test.ts need. Of API and worker: Node keeps what it
 * compiled for the next start. QuestDB closes and deletes idle segments of its write-ahead log within 2.5 s instead of 8 s: erasures wait
 * for that.
 */
export const quickStart = {
  JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1",
  QDB_CAIRO_IDLE_CHECK_INTERVAL: "500",
  QDB_CAIRO_WAL_INACTIVE_WRITER_TTL: "1000",
  QDB_CAIRO_WAL_PURGE_INTERVAL: "1000",
  NODE_COMPILE_CACHE: new URL("../../../node_modules/.cache/node", import.meta.url).pathname,
};
