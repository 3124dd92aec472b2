/**
 * `npm run bench:bytes [-- --events 100000]`: what an event takes on disk once its day is over, in QuestDB's own files, by table and column, of
 * events in the form of our tracker and of published SDKs, as JSON, each on a stack of its own.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { absolute, type Bench, type BenchRun, type Figure } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { round } from "../../test/kit/load/figures.ts";
import { runLoad } from "../../test/kit/load/load.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { lostRows } from "./lostRows.ts";
import { storedRows } from "./storedRows.ts";
import { type Sender, Visits } from "./visits.ts";

const dayMs = 86_400_000;
const batchEvents = 100;

export const bench: Bench = { name: "bytes", measure };

async function measure({ isSmoke, args, stacks }: BenchRun) {
  const { values } = parseArgs({ args: [...args], options: { events: { type: "string", default: "100000" } } });
  const events = isSmoke ? 2 * batchEvents : Number(values.events);
  if (!(events > 0 && events % batchEvents === 0)) throw new Error(`--events must be a multiple of ${batchEvents}`);
  const details = [];
  const problems: string[] = [];
  const figures: Record<string, Figure> = {};
  for (const sender of ["tracker", "sdk"] as const) {
    const found = await stacks.use({ parts: withoutTemporal }, (stack) =>
      measureSender(stack, sender, events, isSmoke),
    );
    const { acknowledged, stored, bytesPerEvent, withPerformance } = found;
    problems.push(...lostRows(sender, { errors: 0, acknowledged, stored }));
    figures[`an event, ${sender}`] = absolute(bytesPerEvent, "B", "lower");
    figures[`an event with performance figures, ${sender}`] = absolute(withPerformance, "B", "lower");
    details.push(found);
  }
  return { settings: { events }, figures, problems, details };
}

/** The current day has room that was allocated in advance, so events are dated two days back and a last batch a day later. */
async function measureSender(bench: BenchStack, sender: Sender, events: number, isSmoke: boolean) {
  const dayStartMs = Math.floor(Date.now() / dayMs - 2) * dayMs;
  await sendDay(bench, sender, events, dayStartMs);
  await sendDay(bench, sender, batchEvents, dayStartMs + dayMs);
  const { questdb, owner } = bench;
  const acknowledged = events + batchEvents;
  const stored = await storedRows(questdb, owner.websiteId, acknowledged);
  if (!isSmoke) await untilSettled(questdb);
  const day = new Date(dayStartMs).toISOString().slice(0, 10);
  const tables = {
    events: await bytesOf(bench, "events", day),
    performance_metrics: await bytesOf(bench, "performance_metrics", day),
  };
  return {
    sender,
    acknowledged,
    stored,
    bytesPerEvent: tables.events.bytesPerRow,
    withPerformance: round((tables.events.bytes + tables.performance_metrics.bytes) / events, 1),
    tables,
  };
}

async function sendDay({ owner }: BenchStack, sender: Sender, events: number, dayStartMs: number) {
  const visits = new Visits(sender, seededRandom(1));
  const requests = events / batchEvents;
  let sent = 0;
  const load = await runLoad({
    url: `${owner.baseUrl}/batch?website_id=${owner.websiteId}`,
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
async function bytesOf({ stack, questdb }: BenchStack, table: string, day: string) {
  const [found] = await questdb.read("SELECT directoryName FROM tables() WHERE table_name = $1", [table]);
  const directory = join(stack.config.stack.dataDir, "questdb", "db", String(found?.["directoryName"]));
  const rows = Number((await questdb.read(`SELECT count() AS n FROM ${table} WHERE ts IN $1`, [day]))[0]?.["n"]);
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

if (import.meta.main) await runAsScript(bench);
