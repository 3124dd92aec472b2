/**
 * `npm run bench:erasure [-- --rows 300000 --rounds 3]`: websites with this many events over ten days are erased one after the other, as JSON:
 * seconds a partition, and how long until the bytes were gone; beside the bare UPDATE of a website of the same size in the same tables.
 * Another website's queries are timed before each erasure and meanwhile, one after the other without a pause.
 */
import { parseArgs } from "node:util";
import { tombstoneSql } from "../../src/lifecycle/erasure/stores/eraseRange.ts";
import { dayCondition } from "../../src/store/questdb/partition.ts";
import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { whenApplied } from "../../src/store/questdb/whenApplied.ts";
import { absolute, type Bench, type BenchRun, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { mean, round } from "../../test/kit/load/figures.ts";
import type { BenchStack } from "../../test/kit/stack/benchStacks.ts";
import type { Owner } from "../../test/kit/stack/owner.ts";
import { eraseWebsite, untilErased } from "./deletions.ts";
import { days, insertManyEvents, pageViewsOf, sessionsAreStored } from "./manyEvents.ts";
import { makeWebsite, type OtherWebsite, summaryOf, timeQueries } from "./otherQueries.ts";

/** How much longer another website's queries may take during an erasure. */
const mostP95Ratio = 1.5;

export const bench: Bench = {
  name: "erasure",
  measure: (run) => run.stacks.use({}, (stack) => measure(run, stack)),
};

async function measure({ isSmoke, args }: BenchRun, stack: BenchStack) {
  const { owner, questdb } = stack;
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: "string", default: "300000" }, rounds: { type: "string", default: "3" } },
  });
  const rows = isSmoke ? 1_000 : Number(values.rows);
  const rounds = isSmoke ? 1 : Number(values.rounds);
  const queriesBefore = isSmoke ? 5 : 150;
  const [bare, otherId] = await Promise.all([makeWebsite(owner), makeWebsite(owner)]);
  const other = { id: otherId, pageviews: pageViewsOf(rows) };
  const erased = await Promise.all(Array.from({ length: rounds }, () => makeWebsite(owner)));
  for (const websiteId of [bare, otherId, ...erased]) await insertManyEvents(stack, websiteId, rows);
  if (!isSmoke) await sessionsAreStored(stack);
  await timeQueries(owner, other, () => false, isSmoke ? 1 : 20);
  const updates = await timeUpdates(questdb, bare);
  const erasures = [];
  const problems: string[] = [];
  const times: { before: number[]; during: number[] } = { before: [], during: [] };
  for (const websiteId of erased) {
    times.before.push(...(await timeQueries(owner, other, () => false, queriesBefore)));
    const { during, erasure } = await measureErasure(owner, websiteId, other);
    times.during.push(...during);
    erasures.push(erasure);
    const events = erasure.tables.find(({ table }) => table === "events");
    if (events?.rows_before !== rows || events.rows_after !== 0)
      problems.push(`the receipt has ${JSON.stringify(events)}, not ${rows} rows before and none after`);
  }
  // After the erasures, too.
  await timeQueries(owner, other, () => false, 1);
  const before = summaryOf(times.before);
  const during = summaryOf(times.during);
  const secondsAPartition = mean(erasures.map((erasure) => erasure.secondsAPartition));
  const figures = {
    "p95 of another website's queries / before": ratio(round(during.p95Ms / before.p95Ms, 2), "lower", mostP95Ratio),
    "a partition / bare UPDATE": ratio(round(secondsAPartition / mean(updates), 2), "lower"),
    "a partition": absolute(round(secondsAPartition, 2), "s", "lower"),
    "a partition, bare UPDATE": absolute(round(mean(updates), 2), "s", "lower"),
    "until gone": absolute(round(mean(erasures.map(({ secondsUntilGone }) => secondsUntilGone)), 1), "s", "lower"),
  };
  return { settings: { rows, rounds }, figures, problems, details: { erasures, queries: { before, during } } };
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

async function measureErasure(owner: Owner, websiteId: string, other: OtherWebsite) {
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

if (import.meta.main) await runAsScript(bench);
