/**
 * Environment of servers that live for minutes. Of QuestDB: the JVM's second compiler uses more processor time in the minutes that tests
 * take than it saves, a fifth of all that the 576 questions of storedSessions.long.test.ts need. Of API and worker: Node keeps what it
 * compiled for the next start.
 */
export const quickStart = {
  JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1",
  NODE_COMPILE_CACHE: new URL("../../../node_modules/.cache/node", import.meta.url).pathname,
};
