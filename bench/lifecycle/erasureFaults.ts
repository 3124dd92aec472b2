/**
 * `npm run bench:erasure-faults [-- rounds [seed]]`: kill -9 of the worker, QuestDB, Temporal, the API and of all of them at a random
 * moment of an erasure, on a stack of its own. JSON out; exit code 1 when a receipt is not exact, another website's rows changed, or
 * a file still holds erased text.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench, BenchRun } from "../../test/kit/bench/bench.ts";
import { measuredRounds, roundsOf } from "../../test/kit/bench/faultRounds.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import type { BenchStack } from "../../test/kit/stack/benchStacks.ts";
import { type Owner, postJson } from "../../test/kit/stack/owner.ts";
import { eraseWebsite, untilErased } from "./deletions.ts";

const faults = {
  worker: ["worker"],
  questdb: ["questdb"],
  temporal: ["temporal"],
  api: ["api"],
  all: ["questdb", "temporal", "postgres", "api", "worker"],
} as const;
const names = Object.keys(faults) as (keyof typeof faults)[];

const eventsOfDay = 50;
const daysOfData = 5;
const dayMs = 86_400_000;

export const bench: Bench = { name: "erasure-faults", measure };

async function measure(run: BenchRun) {
  const { rounds, seed } = roundsOf(run, 10);
  const random = seededRandom(seed);
  return await run.stacks.use({}, async (stack) => {
    const other = await makeWebsite(stack.owner, "other");
    const results = [];
    for (let round = 0; round < rounds; round += 1) {
      const fault = names[round % names.length] ?? "worker";
      const afterMs = Math.round(random() * 3_000);
      const result = await runRound(stack, other, { marker: `Erase${seed}x${round}x`, fault, afterMs });
      console.error(JSON.stringify(result));
      results.push(result);
    }
    return measuredRounds({ rounds, seed }, results);
  });
}

type Round = { readonly marker: string; readonly fault: keyof typeof faults; readonly afterMs: number };

async function runRound({ stack, questdb, owner }: BenchStack, other: string, { marker, fault, afterMs }: Round) {
  const websiteId = await makeWebsite(owner, marker);
  const sent = eventsOfDay * daysOfData;
  const untilStored = async (id: string, count: number) => {
    while ((await countOf(id)) < count) await pause(100);
  };
  const countOf = async (id: string) => {
    const [row] = await questdb.read('SELECT count() "rows" FROM events WHERE website_id = $1', [id]);
    return Number(row?.["rows"]);
  };
  await untilStored(websiteId, sent);
  await untilStored(other, sent);

  const id = await eraseWebsite(owner, websiteId, daysOfData + 1);
  await pause(afterMs);
  await Promise.all(faults[fault].map((part) => stack.kill(part)));
  await pause(1_000);
  for (const part of faults[fault]) await stack.restart(part);
  const { receipt } = await untilErased(owner, id, () => undefined);

  const events = receipt?.tables.find(({ table }) => table === "events");
  const otherRows = await countOf(other);
  const files = filesWith(stack.config.stack.dataDir, marker);
  const problems = [
    ...(events?.rows_before === sent && events.rows_after === 0 ? [] : [`receipt ${JSON.stringify(events)}`]),
    ...(receipt?.days.length === daysOfData ? [] : [`days ${receipt?.days.join(" ")}`]),
    ...(otherRows === sent ? [] : [`the other website has ${otherRows} rows of ${sent}`]),
    ...files.map((file) => `text in ${file}`),
  ];
  return { fault, afterMs, problems };
}

/** A website with events whose texts hold a marker. */
async function makeWebsite(owner: Owner, marker: string): Promise<string> {
  const { id } = await postJson<{ id: string }>(owner, "/websites/create", { name: "Bench", domain: "bench.example" });
  for (let day = 1; day <= daysOfData; day += 1) {
    const events = Array.from({ length: eventsOfDay }, (_, index) => ({
      name: "page_view",
      eventId: `${marker}${day}-${index}`,
      anonymousId: `${marker}visitor`,
      sessionId: `${marker}session${index}`,
      path: `/${marker}`,
      title: marker,
      timestamp: Date.now() - day * dayMs - index,
    }));
    await postJson(owner, `/batch?website_id=${id}`, events);
  }
  return id;
}

function filesWith(dataDir: string, marker: string): string[] {
  const below = ["questdb/db", "log"].map((name) => join(dataDir, name));
  return spawnSync("grep", ["-rlaF", marker, ...below], { encoding: "utf8" })
    .stdout.split("\n")
    .filter(Boolean);
}

if (import.meta.main) await runAsScript(bench);
