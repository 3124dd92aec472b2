import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { signalFamily } from "../kit/faults/freeze.ts";
import { countAllTheTime } from "../kit/faults/growingCount.ts";
import { type DoubledLoad, startDoubledLoad } from "../kit/scale/doubledLoad.ts";
import { type ScaleFixture, startScaleFixture } from "../kit/scale/scaleFixture.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

const rounds = 3;
const waiting = { timeout: 150_000, interval: 250 };

let fixture: ScaleFixture;
let baseUrls: readonly string[];
let load: DoubledLoad;

beforeAll(async () => {
  fixture = await startScaleFixture({}, { ownStores: true });
  baseUrls = fixture.stack.apis.map(({ server }) => `http://127.0.0.1:${server.port}`);
  const { websiteId } = fixture.owner;
  load = startDoubledLoad(
    baseUrls.map((baseUrl) => `${baseUrl}/batch?website_id=${websiteId}`),
    2,
  );
}, 400_000);

afterAll(async () => {
  await load?.stop();
  await fixture?.remove();
}, 120_000);

/** Waits until each API reads both replicas again. */
async function whenBothServe(): Promise<void> {
  await vi.waitFor(async () => {
    for (const baseUrl of baseUrls) {
      const { body } = await send("GET", "/readyz", { baseUrl });
      const { states } = body as { states: { state: string; of?: string }[] };
      expect(states.filter(({ state }) => state === "replica_away")).toEqual([]);
    }
  }, waiting);
}

/** The figures that fell while `work` ran. */
async function fallsDuring(work: () => Promise<void>): Promise<readonly string[]> {
  const counting = countAllTheTime(baseUrls, fixture.owner);
  try {
    await work();
  } finally {
    await pause(3_000);
  }
  const counts = await counting.stop();
  console.log(JSON.stringify(counts));
  for (const { answers } of counts) expect(answers).toBeGreaterThan(rounds * 5);
  return counts.flatMap(({ falls }) => falls);
}

test("8: no count falls after PostgreSQL was held up, again and again", async () => {
  const falls = await fallsDuring(async () => {
    for (let round = 0; round < rounds; round += 1) {
      const ids = fixture.stack.processIds("postgres");
      for (const id of ids) signalFamily(id, "SIGSTOP");
      await pause(12_000);
      for (const id of ids) signalFamily(id, "SIGCONT");
      await whenBothServe();
    }
  });
  expect(falls).toEqual([]);
}, 600_000);

test("8: no count falls while the consumer of a replica that lags starts, and the QuestDB that is read is killed", async () => {
  const { stack } = fixture;
  const [api] = stack.apis;
  const readReplica = async (): Promise<"a" | "b"> => {
    const sql = "SELECT read_replica AS name FROM shards WHERE name = 's1'";
    const { rows } = await inDatabase((database) => database.query(sql), api?.postgres.url);
    return rows[0]?.name === "b" ? "b" : "a";
  };
  const falls = await fallsDuring(async () => {
    for (let round = 0; round < rounds; round += 1) {
      const read = await readReplica();
      const lagging = `consumer-s1-${read === "a" ? "b" : "a"}`;
      for (const id of stack.processIds(lagging)) signalFamily(id, "SIGSTOP");
      await pause(20_000);
      await stack.kill(lagging);
      const starting = stack.restart(lagging);
      // Before, between and after its first reports.
      await pause(1_300 + 200 * round);
      await stack.kill(`questdb-s1-${read}`);
      await pause(8_000);
      await stack.restart(`questdb-s1-${read}`);
      await starting;
      await whenBothServe();
    }
  });
  expect(falls).toEqual([]);
}, 900_000);
