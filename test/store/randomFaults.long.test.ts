import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { chooseInTurn } from "../kit/faults/chooseInTurn.ts";
import { type FailingMaps, failingMaps } from "../kit/faults/failingMaps.ts";
import { countAllTheTime } from "../kit/faults/growingCount.ts";
import { runFaultRounds } from "../kit/faults/ingestFaults.ts";
import { type Fault, faultsWithWorker, needsMount } from "../kit/faults/injectFault.ts";
import { askAllTheTime, unexpectedRefusals } from "../kit/faults/steadyAnswers.ts";
import { type AnsweredQuery, keepAllData, storeOracleWebsite } from "../kit/oracle/oracleWebsite.ts";
import { storeInQuestdb } from "../kit/oracle/storeInQuestdb.ts";
import { seededRandom } from "../kit/random/seededRandom.ts";
import { sized } from "../kit/random/sized.ts";
import { type ClientOutcome, deletionRound, exportRound } from "../kit/scale/clientRounds.ts";
import { PersistentClient } from "../kit/scale/persistentClient.ts";
import { type FaultStack, startFaultStack } from "../kit/stack/faultStack.ts";
import { ownerOf } from "../kit/stack/owner.ts";

const seed = Number(process.env["FAULT_SEED"] ?? Math.floor(Math.random() * 1_000_000));
const rounds = Number(process.env["FAULT_ROUNDS"] ?? sized(2, 40));
const random = seededRandom(seed);

/** A round takes up to this long, and its deletion or export may end later. */
const longestRoundMs = 150_000;
const queries = 150;

let running: FaultStack;
let maps: FailingMaps | undefined;
/** Its rows never change. */
let steady: TestWebsite;
let answered: AnsweredQuery[];
let websites: TestWebsite[];

beforeAll(async () => {
  maps = await failingMaps(400);
  running = await startFaultStack(
    () => undefined,
    {
      ...maps?.env,
      CACHE_DIR: inject("lookout").cacheDir,
      RATE_LIMIT_QUERY: "0",
      ...keepAllData,
    },
    true,
  );
  const { config } = running.stack;
  const databaseUrl = config.postgres.url;
  // The oracle knows no unknown times: a day without events is zero there.
  steady = await createWebsite({ databaseUrl, firstEventOn: "1970-01-01" });
  answered = await storeOracleWebsite(storeInQuestdb(config, steady.websiteId), { seed, queries, random });
  websites = await Promise.all(Array.from({ length: rounds }, () => createWebsite({ databaseUrl })));
}, 400_000);

afterAll(async () => {
  await running?.remove();
  await maps?.remove();
}, 600_000);

test(
  `8: ${rounds} random faults with the seed ${seed}: every answer is the oracle's, no count falls, nothing is lost or doubled, deletions and exports end`,
  async () => {
    const { stack, disk } = running;
    const means = { disk, maps };
    console.log(`[faults] FAULT_SEED=${seed} FAULT_ROUNDS=${rounds}`);
    const owner = await ownerOf(stack.config);
    const baseUrls = [stack.config.server.baseUrl];
    const client = new PersistentClient(baseUrls, performance.now() + rounds * longestRoundMs);
    const isPossible = (fault: Fault) =>
      (disk !== undefined || !needsMount.has(fault)) && (maps !== undefined || fault !== "mappings fail");
    const possible = faultsWithWorker.filter(isPossible);
    const asking = askAllTheTime(baseUrls, steady, answered, 2, random);
    const counting = countAllTheTime(baseUrls, owner);
    const clients: Promise<ClientOutcome>[] = [];
    const results = await runFaultRounds(stack, means, chooseInTurn(possible, rounds, random), random, {
      onStart: async (round, fault) => {
        // What it destroys in the log may be of any website.
        if (fault === "byte flipped") return void (await Promise.allSettled(clients));
        const website = websites[round];
        if (website === undefined) throw new Error("a round has no website");
        const outcome = (round % 2 === 0 ? deletionRound : exportRound)(client, baseUrls, website);
        outcome.catch(() => undefined);
        clients.push(outcome);
      },
      onRound: (result) => {
        const { compared, wrongInAll, refused } = asking.answers;
        console.log(
          `[faults] ${JSON.stringify({ ...result, compared, wrongInAll, refused: Object.fromEntries(refused) })}`,
        );
      },
    });
    const ended = await Promise.allSettled(clients);
    const [answers, [counts]] = await Promise.all([asking.stop(), counting.stop()]);
    console.log(`[faults] ${JSON.stringify({ seed, rounds, compared: answers.compared, counts: counts?.answers })}`);
    // As one text, which the first line of a failure shows.
    expect.soft(answers.wrong.join("\n"), "answers that are not the oracle's").toBe("");
    expect.soft(unexpectedRefusals(answers), "refusals that no fault explains").toEqual([]);
    expect.soft(counts?.falls, "counts below an earlier one").toEqual([]);
    expect.soft(results.filter(({ passed }) => !passed)).toEqual([]);
    expect
      .soft(ended.flatMap((each) => (each.status === "rejected" ? [String(each.reason), each.reason.cause] : [])))
      .toEqual([]);
    // Without these the test would also pass if nothing were ever answered.
    expect(answers.compared).toBeGreaterThan(rounds);
    expect(counts?.answers).toBeGreaterThan(rounds);
  },
  rounds * longestRoundMs + 120_000,
);
