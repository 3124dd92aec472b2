/**
 * `node bench/lifecycle/erasureFaults.ts [rounds] [seed]`: kill -9 of the worker, QuestDB, Temporal, the API and of all of them at a random
 * moment of an erasure, on a stack of its own. JSON out; exit code 1 when a receipt is not exact, another website's rows changed, or
 * a file still holds erased text.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import { type Owner, ownerOf, postJson } from "../../test/kit/stack/owner.ts";
import { startUptimeStack, type UptimeStack } from "../../test/kit/stack/uptimeStack.ts";
import { eraseWebsite, untilErased } from "./deletions.ts";

const faults = {
  worker: ["worker"],
  questdb: ["questdb"],
  temporal: ["temporal"],
  api: ["api"],
  all: ["questdb", "temporal", "postgres", "api", "worker"],
} as const;
const names = Object.keys(faults) as (keyof typeof faults)[];

const rounds = Number(process.argv[2] ?? 10);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const random = seededRandom(seed);
const eventsOfDay = 50;
const daysOfData = 5;
const dayMs = 86_400_000;

const bench = await startUptimeStack({ log: console.error });
try {
  const owner = await ownerOf(bench.config);
  const other = await makeWebsite(owner, "other");
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const result = await runRound(bench, owner, other, round, names[round % names.length] ?? "worker");
    console.error(JSON.stringify(result));
    results.push(result);
  }
  const passed = results.filter(({ problems }) => problems.length === 0).length;
  console.log(JSON.stringify({ benchmark: "erasure faults", seed, rounds, passed, results }, null, 2));
  if (passed < rounds) process.exitCode = 1;
} finally {
  await bench.stop();
}

async function runRound(
  { stack, questdb }: UptimeStack,
  owner: Owner,
  other: string,
  round: number,
  fault: keyof typeof faults,
) {
  const marker = `Erase${seed}x${round}x`;
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
  const afterMs = Math.round(random() * 3_000);
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
