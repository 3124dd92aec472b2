/**
 * `node bench/lifecycle/erasure.ts [--rows 300000] [--rounds 3]`: websites with this many events over ten days are erased one after the other, as JSON:
 * seconds a partition, and how long until the bytes were gone; beside the bare UPDATE of a website of the same size in the same tables.
 * Another website's queries are timed before each erasure and meanwhile, one after the other without a pause.
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { tombstoneSql } from "../../src/lifecycle/erasure/steps/eraseDay.ts";
import { dayCondition } from "../../src/store/questdb/partition.ts";
import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { whenApplied } from "../../src/store/questdb/whenApplied.ts";
import { mean, round } from "../../test/kit/load/figures.ts";
import { type Owner, ownerOf } from "../../test/kit/stack/owner.ts";
import { startUptimeStack } from "../../test/kit/stack/uptimeStack.ts";
import { eraseWebsite, untilErased } from "./deletions.ts";
import { days, insertManyEvents } from "./manyEvents.ts";
import { makeWebsite, summaryOf, timeQueries } from "./otherQueries.ts";

const { values: given } = parseArgs({
  options: { rows: { type: "string", default: "300000" }, rounds: { type: "string", default: "3" } },
});
const rows = Number(given.rows);
const rounds = Number(given.rounds);

/** How much longer another website's queries may take during an erasure. */
const reach = { p95Ratio: 1.5 };

const queriesBefore = 150;

const bench = await startUptimeStack({ log: console.error });
try {
  const owner = await ownerOf(bench.config);
  const loadBefore = loadavg().map((value) => round(value, 1));
  const [bare, other] = await Promise.all([makeWebsite(owner), makeWebsite(owner)]);
  const erased = await Promise.all(Array.from({ length: rounds }, () => makeWebsite(owner)));
  for (const websiteId of [bare, other, ...erased]) await insertManyEvents(bench.questdb, websiteId, rows);
  await timeQueries(owner, other, () => false, 20);
  const updates = await timeUpdates(bench.questdb, bare);
  const erasures = [];
  const times: { before: number[]; during: number[] } = { before: [], during: [] };
  for (const websiteId of erased) {
    times.before.push(...(await timeQueries(owner, other, () => false, queriesBefore)));
    const { during, erasure } = await measureErasure(owner, websiteId, other);
    times.during.push(...during);
    erasures.push(erasure);
  }
  const before = summaryOf(times.before);
  const during = summaryOf(times.during);
  const p95Ratio = round(during.p95Ms / before.p95Ms, 2);
  const machine = { node: process.version, cores: cpus().length, loadBefore };
  const queries = { before, during, p95Ratio };
  const baseline = { update: { partitions: updates.length, secondsAPartition: round(mean(updates), 2) } };
  console.log(JSON.stringify({ benchmark: "erasure", machine, rows, reach, erasures, queries, baseline }, null, 2));
  if (p95Ratio > reach.p95Ratio) process.exitCode = 1;
} finally {
  await bench.stop();
}

/** Seconds of the statement alone in each partition, until it is applied. */
async function timeUpdates(questdb: QuestdbReader, websiteId: string): Promise<number[]> {
  const { signal } = new AbortController();
  const found = await questdb.read(
    "SELECT DISTINCT timestamp_floor('d', ts) AS day FROM events WHERE website_id = $1",
    [websiteId],
  );
  const seconds: number[] = [];
  for (const { day } of found) {
    const condition = dayCondition(new Date(Number(day)).toISOString().slice(0, 10));
    const assignments = await tombstoneSql(questdb, "events");
    const startedMs = performance.now();
    await questdb.change(`UPDATE events SET ${assignments} WHERE ${condition} AND website_id = $1`, [websiteId]);
    await whenApplied(questdb, ["events"], signal);
    seconds.push((performance.now() - startedMs) / 1_000);
  }
  return seconds;
}

async function measureErasure(owner: Owner, websiteId: string, other: string) {
  const startedMs = Date.now();
  const id = await eraseWebsite(owner, websiteId, days + 1);
  let phase = "waiting";
  const beganMs = new Map<string, number>();
  const ending = untilErased(owner, id, (deletion) => {
    phase = deletion.phase;
    if (!beganMs.has(phase)) beganMs.set(phase, Date.now());
  });
  // The steps after the days do not affect queries, so they are not counted.
  const during = await timeQueries(owner, other, () => phase === "releasing" || phase === "done");
  const { receipt } = await ending;
  if (receipt === null) throw new Error("a completed erasure has no receipt");
  const erasingMs = (beganMs.get("recomputing") ?? Date.now()) - (beganMs.get("erasing") ?? startedMs);
  return {
    during,
    erasure: {
      partitions: receipt.days.length,
      secondsAPartition: round(erasingMs / 1_000 / receipt.days.length, 2),
      secondsUntilUnreadable: round((Date.parse(receipt.unreadable_at) - startedMs) / 1_000, 1),
      secondsUntilGone: round((Date.parse(receipt.gone_at) - startedMs) / 1_000, 1),
      tables: receipt.tables,
    },
  };
}
