import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { poll } from "../../src/concurrency/poll.ts";
import { type OwnQuestdb, startOwnQuestdb } from "../kit/pooledReaders/ownQuestdb.ts";

let directory: string;
let questdb: OwnQuestdb | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-symbols-"));
});
afterEach(async () => {
  await questdb?.stop();
  questdb = undefined;
  await rm(directory, { recursive: true, force: true });
});

/** Buckets of the dictionary of a SYMBOL with the default capacity of 256, and how many values a block of a bucket has. */
const buckets = 128;
const blockValues = 4;

/** The bucket of a value, as QuestDB's Hash.boundedHash chooses it. */
function bucketOf(value: string): number {
  return [...value].reduce((hash, character) => (31 * hash + character.charCodeAt(0)) | 0, 0) & (buckets - 1);
}

/** Values that fill a block, and the one that begins the next block of the same bucket. */
const values = Array.from({ length: 10_000 }, (_, index) => `website-${index}`)
  .filter((value) => bucketOf(value) === 5)
  .slice(0, blockValues + 1);
const [newValue = "", ...known] = values.toReversed();

/** Asks for the rows of each known value until a transaction with a new one is applied; the wrong values, and how many answers came before. */
async function askWhileApplied({ exec }: OwnQuestdb, table: string) {
  await exec(
    `CREATE TABLE ${table} (ts TIMESTAMP, website_id SYMBOL INDEX, n LONG) TIMESTAMP(ts) PARTITION BY DAY WAL`,
  );
  const count = async (value: string) =>
    (await exec(`SELECT count() FROM ${table} WHERE website_id = '${value}'`))[0]?.[0];
  for (const value of known) {
    await exec(`INSERT INTO ${table} VALUES ('2025-09-01T00:00:00Z', '${value}', 1)`);
    // The reader that answers stays open, so it has mapped the dictionary before the new value.
    await poll(async () => (await count(value)) === 1, AbortSignal.timeout(120_000), 50);
  }
  const wrong = new Set<string>();
  let answers = 0;
  // Not awaited first: on a busy machine the rows can be applied before the statement is answered.
  const inserted = exec(
    // Out of order, so that they take QuestDB a while between the new value and the commit.
    `INSERT INTO ${table} SELECT dateadd('s', ((x * 7919) % 1000003)::int, '2025-09-02T00:00:00Z'::timestamp), ` +
      `'${newValue}', x FROM long_sequence(1000000)`,
  );
  while ((await count(newValue)) === 0)
    for (const value of known) {
      answers += 1;
      if ((await count(value)) !== 1) wrong.add(value);
    }
  await inserted;
  return { wrong: [...wrong], answers };
}

// Each starts a QuestDB, which takes a busy machine minutes.
describe("7: the rows of a website", { timeout: 900_000 }, () => {
  test("are found while a transaction with a new website is applied", async () => {
    questdb = await startOwnQuestdb(join(directory, "data"), {});
    const { wrong, answers } = await askWhileApplied(questdb, "t");
    expect(answers).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  test("would not be found without ConcurrentBitmapIndexFwdReader.patch", async () => {
    questdb = await startOwnQuestdb(join(directory, "data"), {}, { isUnpatched: true });
    let wrong: readonly string[] = [];
    // Whether a question falls between the new value and the commit is up to the machine.
    for (let attempt = 0; attempt < 20 && wrong.length === 0; attempt += 1)
      wrong = (await askWhileApplied(questdb, `t${attempt}`)).wrong;
    expect(wrong).toEqual([known.at(-1)]);
  });
});
