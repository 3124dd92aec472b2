import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TableName } from "../../src/store/questdb/tables.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { failingMaps } from "../kit/faults/failingMaps.ts";
import { type CountHistory, countAllTheTime } from "../kit/faults/growingCount.ts";
import { askAllTheTime, unexpectedRefusals } from "../kit/faults/steadyAnswers.ts";
import { type AnsweredQuery, keepAllData, storeOracleWebsite } from "../kit/oracle/oracleWebsite.ts";
import { seededRandom } from "../kit/random/seededRandom.ts";
import { type ClientOutcome, deletionRound, exportRound } from "../kit/scale/clientRounds.ts";
import { startDoubledLoad } from "../kit/scale/doubledLoad.ts";
import { PersistentClient } from "../kit/scale/persistentClient.ts";
import { applyFault, chooseFaults, type FaultKind, type ScaleFaultMeans } from "../kit/scale/randomFaults.ts";
import { readIds, readTables, rowsOfOne, settledReplicas } from "../kit/scale/replicaRows.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { storeThroughLog } from "../kit/scale/storeThroughLog.ts";
import { whenInSync } from "../kit/scale/whenInSync.ts";
import { mountSmallDisk } from "../kit/stack/smallDisk.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

const seed = Number(process.env["SCALE_SEED"] ?? Math.floor(Math.random() * 1_000_000));
const rounds = Number(process.env["SCALE_ROUNDS"] ?? 40);
const random = seededRandom(seed);
const queries = 150;

/** A round takes this long, or until the part that failed answers again: on a busy machine up to the second time. */
const roundMs = 10_000;
const longestRoundMs = 60_000;
/** Enough for a store to start: it must find 1 GiB free. */
const diskBytes = 3 * 1_024 ** 3;
/** Where each part whose disk may be filled has it, in DATA_DIR. */
const ownDisks = {
  "questdb-s1-a": "questdb-s1-a",
  "questdb-s1-b": "questdb-s1-b",
  "broker-1": "kafka/1",
  "broker-2": "kafka/2",
};

/** Until the deletions and exports of the last rounds have ended. */
const afterwardsMs = 240_000;

let fixture: ScaleFixture;
let means: ScaleFaultMeans;
/** Its rows never change. */
let steady: TestWebsite;
let answered: AnsweredQuery[];
let websites: TestWebsite[];

/** After these a broker lacks messages until it has fetched them from the others. */
const copyMissingAfter: ReadonlySet<FaultKind> = new Set(["lose", "flip", "fill"]);

beforeAll(async () => {
  const disks = Object.keys(ownDisks).flatMap((part) => {
    const disk = mountSmallDisk(diskBytes);
    return disk === undefined ? [] : [[part, disk] as const];
  });
  means = { disks: new Map(disks), maps: await failingMaps(400) };
  const placed = new Map(disks.map(([part, { directory }]) => [ownDisks[part as keyof typeof ownDisks], directory]));
  fixture = await startScaleFixture({ ...keepAllData, ...means.maps?.env }, { workers: 2, ownStores: true, placed });
  const databaseUrl = firstApi().postgres.url;
  websites = await Promise.all(Array.from({ length: rounds }, () => createWebsite({ databaseUrl })));
  // The oracle knows no unknown times: a day without events is zero there.
  steady = await createWebsite({ databaseUrl, firstEventOn: "1970-01-01" });
  const store = storeThroughLog(fixture.stack, steady.websiteId);
  answered = await storeOracleWebsite(store, { seed, queries, random });
}, 900_000);

afterAll(async () => {
  await fixture?.remove();
  for (const disk of means?.disks.values() ?? []) disk.remove();
  await means?.maps?.remove();
}, 120_000);

function firstApi() {
  const [api] = fixture.stack.apis;
  if (api === undefined) throw new Error("no API runs");
  return api;
}

/** What failed, and the outcome of each that did not. */
async function outcomesOf(
  running: readonly Promise<ClientOutcome>[],
): Promise<[string[], (ClientOutcome | undefined)[]]> {
  const ended = await Promise.allSettled(running);
  const failures = ended.flatMap((each, index) => {
    if (each.status === "fulfilled") return [];
    const { message, cause } = each.reason as Error;
    return [`round ${index + 1}: ${message} ${cause instanceof Error ? cause.message : ""}`];
  });
  return [failures, ended.map((each) => (each.status === "fulfilled" ? each.value : undefined))];
}

test(
  `${rounds} random faults with the seed ${seed}: nothing acknowledged is missing or doubled, every answer is the oracle's, no count falls, deletions and exports end`,
  async () => {
    const { stack, owner } = fixture;
    console.log(`[scale] SCALE_SEED=${seed} SCALE_ROUNDS=${rounds}`);
    const parts = [...stack.parts, "postgres", "temporal"];
    const baseUrls = stack.apis.map(({ server }) => `http://127.0.0.1:${server.port}`);
    const client = new PersistentClient(baseUrls, performance.now() + rounds * longestRoundMs + afterwardsMs);
    const load = startDoubledLoad(
      baseUrls.map((baseUrl) => `${baseUrl}/batch?website_id=${owner.websiteId}`),
      2,
    );
    // Each API for itself: no answer of a process is older than one before.
    const counting = countAllTheTime(baseUrls, owner);
    const asking = askAllTheTime(baseUrls, steady, answered, 2, random);
    let counts: CountHistory[] = [];
    const clients: Promise<ClientOutcome>[] = [];
    try {
      for (const [index, fault] of chooseFaults(seededRandom(seed), rounds, parts, means).entries()) {
        const website = websites[index];
        if (website === undefined) throw new Error("a round has no website");
        const round = index % 2 === 0 ? deletionRound : exportRound;
        const running = round(client, baseUrls, website);
        running.catch(() => undefined);
        clients.push(running);
        const untilNext = pause(roundMs);
        await pause(1_500);
        await applyFault(stack, means, fault, random);
        await untilNext;
        // Two disks at once are more than the log survives.
        if (copyMissingAfter.has(fault.kind)) await whenInSync(stack);
        const failures = JSON.stringify(Object.fromEntries(load.failures));
        console.log(
          `[scale] round ${index + 1}: ${fault.kind} ${fault.part} for ${fault.forMs} ms; ${load.acknowledged.size} acknowledged, ${failures}; ` +
            `${asking.answers.compared} answers compared, ${asking.answers.wrongInAll} wrong`,
        );
      }
    } finally {
      await load.stop();
      [counts] = await Promise.all([counting.stop(), asking.stop()]);
    }
    const { compared, wrong, wrongInAll, refused } = asking.answers;
    console.log(`[scale] ${JSON.stringify({ counts, compared, wrongInAll, refused: Object.fromEntries(refused) })}`);
    expect.soft(wrong.join("\n"), "answers that are not the oracle's").toBe("");
    expect.soft(unexpectedRefusals(asking.answers), "refusals that no fault explains").toEqual([]);
    expect.soft(compared).toBeGreaterThan(rounds * 5);
    expect.soft(counts.flatMap(({ falls }) => falls)).toEqual([]);
    for (const { answers } of counts) expect.soft(answers).toBeGreaterThan(rounds * 5);
    const [failures, outcomes] = await outcomesOf(clients);
    expect.soft(failures).toEqual([]);

    const { questdb, postgres } = firstApi();
    const { acknowledged } = load;
    const [a, b] = await settledReplicas(questdb, stack.replicas, owner.websiteId, acknowledged.size);
    console.log(JSON.stringify({ seed, rounds, acknowledged: acknowledged.size, a }));
    expect(a).toMatchObject({ rows: acknowledged.size, distinct: acknowledged.size, metrics: acknowledged.size });
    expect(b).toEqual(a);
    for (const replica of stack.replicas) {
      const stored = new Set(await readIds(questdb, replica, owner.websiteId));
      expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    }

    for (const [index, outcome] of outcomes.entries()) {
      if (outcome === undefined) continue;
      const { kept } = outcome;
      const { websiteId } = websites[index] as TestWebsite;
      const replicas = await settledReplicas(questdb, stack.replicas, websiteId, kept.length);
      expect(replicas[1], `round ${index + 1}`).toEqual(replicas[0]);
      for (const replica of stack.replicas)
        expect((await readIds(questdb, replica, websiteId)).toSorted(), `round ${index + 1}`).toEqual(kept.toSorted());
    }

    // Among them those of requests whose answer was lost, and that were sent again.
    const sql = "SELECT id, status FROM deletions UNION ALL SELECT id, status FROM exports";
    const unfinished = async () => {
      const { rows } = await inDatabase((database) => database.query(sql), postgres.url);
      return rows.filter(({ status }) => status !== "completed");
    };
    await expect.poll(unfinished, { timeout: afterwardsMs, interval: 1_000 }).toEqual([]);
    // Sessions and daily records too, which workers still compute.
    const tables = () => Promise.all(stack.replicas.map((replica) => readTables(questdb, replica)));
    const differences = async () => {
      const [first = {}, ...others] = await tables();
      return others.flatMap((other) =>
        Object.keys(first).flatMap((table) =>
          first[table] === other[table] ? [] : [`${table}: ${first[table]} and ${other[table]}`],
        ),
      );
    };
    try {
      await expect.poll(differences, { timeout: afterwardsMs, interval: 1_000 }).toEqual([]);
    } catch (error) {
      for (const table of (await differences()).map((text) => text.split(":")[0] as TableName))
        console.log(`[scale] ${table}: ${(await rowsOfOne(questdb, stack.replicas, table)).join("\n")}`);
      throw error;
    }
    console.log(JSON.stringify({ tables: (await tables())[0], deletionsAndExports: outcomes.length }));
  },
  rounds * longestRoundMs + 900_000,
);
