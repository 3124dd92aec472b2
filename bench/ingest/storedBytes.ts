import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { round } from "../../test/kit/load/figures.ts";
import { runLoad } from "../../test/kit/load/load.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import type { BenchStack } from "../../test/kit/stack/benchStack.ts";
import { storedRows, withReader } from "./storedRows.ts";
import { type Sender, Visits } from "./visits.ts";

const dayMs = 86_400_000;
const batchEvents = 100;

/**
 * What an event takes on disk once its day is over, in QuestDB's own files, by table and column. The current day has room that was
 * allocated in advance, so events are dated two days back and a last one a day later.
 */
export async function measureStoredBytes(bench: BenchStack, sender: Sender, events: number) {
  const dayStartMs = Math.floor(Date.now() / dayMs - 2) * dayMs;
  await sendDay(bench, sender, events, dayStartMs);
  await sendDay(bench, sender, batchEvents, dayStartMs + dayMs);
  return withReader(bench, async (reader) => {
    const stored = await storedRows(reader, bench.websiteId, events + batchEvents);
    await untilSettled(reader);
    const day = new Date(dayStartMs).toISOString().slice(0, 10);
    const tables = {
      events: await bytesOf(bench, reader, "events", day),
      performance_metrics: await bytesOf(bench, reader, "performance_metrics", day),
    };
    return {
      sender,
      events,
      allStored: stored === events + batchEvents,
      bytesPerEvent: tables.events.bytesPerRow,
      withPerformance: round((tables.events.bytes + tables.performance_metrics.bytes) / events, 1),
      tables,
    };
  });
}

async function sendDay({ stack, websiteId }: BenchStack, sender: Sender, events: number, dayStartMs: number) {
  const visits = new Visits(sender, seededRandom(1));
  const requests = events / batchEvents;
  let sent = 0;
  const load = await runLoad({
    url: `${stack.config.server.baseUrl}/batch?website_id=${websiteId}`,
    connections: Math.min(24, requests),
    seconds: 3_600,
    requests,
    next: () => {
      const { userAgent, events } = visits.next(batchEvents, dayStartMs + Math.floor((sent++ / requests) * dayMs));
      return { body: JSON.stringify(events), headers: { "user-agent": userAgent } };
    },
    accepts: (text) => !text.includes('"status":"error"'),
  });
  if (load.errors > 0) throw new Error(`${load.errors} requests failed, so the bytes on disk are not comparable`);
}

/** Waits until the sizes stay the same: QuestDB removes what it has replaced a little later. */
async function untilSettled(reader: QuestdbReader): Promise<void> {
  for (let before = "", same = 0; same < 10; await pause(1_000)) {
    const rows = await reader.read("SELECT sum(diskSize) AS bytes FROM table_partitions('events')", []);
    const now = String(rows[0]?.["bytes"]);
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

/** Bytes of the files of a table's day, as the file system has allocated them. */
async function bytesOf({ stack }: BenchStack, reader: QuestdbReader, table: string, day: string) {
  const [found] = await reader.read("SELECT directoryName FROM tables() WHERE table_name = $1", [table]);
  const directory = join(stack.config.stack.dataDir, "questdb", "db", String(found?.["directoryName"]));
  const rows = Number((await reader.read(`SELECT count() AS n FROM ${table} WHERE ts IN $1`, [day]))[0]?.["n"]);
  const bytesOfColumn = new Map<string, number>();
  const partitions = (await readdir(directory)).filter((name) => name.startsWith(day));
  for (const partition of partitions) {
    for (const file of await readdir(join(directory, partition))) {
      const { blocks } = await stat(join(directory, partition, file));
      const column = file.split(".")[0] ?? "";
      bytesOfColumn.set(column, (bytesOfColumn.get(column) ?? 0) + blocks * 512);
    }
  }
  const bytes = [...bytesOfColumn.values()].reduce((sum, each) => sum + each, 0);
  const columns = [...bytesOfColumn].sort(([, a], [, b]) => b - a);
  return {
    rows,
    bytes,
    bytesPerRow: round(bytes / rows, 1),
    columns: Object.fromEntries(columns.map(([column, each]) => [column, round(each / rows, 1)])),
  };
}
