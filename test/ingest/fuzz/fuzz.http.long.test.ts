import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { FuzzClient, inParallel } from "../../kit/messages/fuzzClient.ts";
import { Random } from "../../kit/messages/random.ts";
import { sized } from "../../kit/random/sized.ts";
import { type ApiProcess, startApiProcess } from "../../kit/stack/apiProcess.ts";
import { isApplied } from "../../kit/stores/eventStore.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { whenStored } from "../../kit/stores/whenStored.ts";
import { checkAnswer, type ExpectedRows } from "./checkAnswer.ts";
import { fuzzBody } from "./fuzzBodies.ts";

const seed = 1;
const bodies = sized(15_000, 50_000);
/** Requests in flight; that many share a commit. */
const inFlight = 400;

/** More of the same would only hide the first. */
const shownProblems = 10;

let api: ApiProcess;
let website: TestWebsite;

beforeAll(async () => {
  api = await startApiProcess({ LOG_LEVEL: "error" });
  website = await createWebsite();
});

afterAll(() => api.stop());

/** How often each marker occurs in the rows of the website. */
async function storedMarkers(): Promise<ReadonlyMap<string, number>> {
  const { questdbHttp } = inject("lookout");
  await isApplied(questdbHttp);
  const reader = openQuestdb();
  const read = async (column: string, table: string) => {
    const rows = await reader.read(`SELECT ${column} marker FROM ${table} WHERE website_id = $1`, [website.websiteId]);
    return rows.map(({ marker }) => String(marker));
  };
  try {
    const counts = new Map<string, number>();
    for (const table of ["events", "outgoing_links", "script_errors", "llm_calls"])
      for (const marker of await read("event_id", table)) counts.set(marker, (counts.get(marker) ?? 0) + 1);
    // A measurement has a row for each of its figures, and a page view may have such rows too.
    for (const marker of await read("session_id", "performance_metrics"))
      if (!counts.has(marker)) counts.set(marker, 1);
    return counts;
  } finally {
    await reader.close();
  }
}

describe("7: no body crashes the service or fails other events of its batch", () => {
  test(`${bodies} mutated bodies: no 5xx, each refused item names its field, all others are stored`, async () => {
    const expected: ExpectedRows = new Map();
    const problems: string[] = [];
    const client = new FuzzClient(api.baseUrl, inFlight);
    await inParallel(bodies, inFlight, async (index) => {
      if (problems.length >= shownProblems) return;
      const where = `seed ${seed}, body ${index}`;
      const body = fuzzBody(new Random(seed * 1_000_003 + index), website.websiteId);
      try {
        const answer = await client.send(body.verb, body.target, body.headers, body.body);
        for (const problem of checkAnswer(body, answer, expected)) problems.push(`${where}: ${body.target} ${problem}`);
      } catch (error) {
        problems.push(`${where}: ${body.target} ${error} ${body.body?.toString().slice(0, 500)}`);
      }
    });
    client.close();
    expect(problems).toEqual([]);
    expect(api.child.exitCode).toBe(null);
    expect(api.output()).toBe("");

    await whenStored(api);
    const stored = await storedMarkers();
    const wrong = [...expected].filter(([marker, isStored]) => stored.get(marker) !== (isStored ? 1 : undefined));
    expect(wrong.slice(0, shownProblems)).toEqual([]);
    // Otherwise the mutations spoil too much or too little to show anything.
    const good = [...expected.values()].filter((isStored) => isStored).length;
    expect(good).toBeGreaterThan(bodies);
    expect(expected.size - good).toBeGreaterThan(bodies / 10);
  }, 600_000);
});
