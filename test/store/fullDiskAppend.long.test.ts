import { afterEach, describe, expect, type TestContext, test } from "vitest";
import {
  type OwnQuestdb,
  type OwnQuestdbOptions,
  startOwnQuestdb,
  whenAllApplied,
} from "../kit/pooledReaders/ownQuestdb.ts";
import { mountSmallDisk, type SmallDisk } from "../kit/stack/smallDisk.ts";

let disk: SmallDisk | undefined;
let questdb: OwnQuestdb | undefined;
afterEach(async () => {
  await questdb?.stop();
  disk?.remove();
  [questdb, disk] = [undefined, undefined];
});

const batchRows = 20_000;
/** More than columns. With fewer than there are columns in work, a QuestDB without the patch crashes in one of two runs instead of standing still. */
const droppedColumns = 12;

/** Later than all rows before: the thread that applies the log appends them to the last partition itself. */
const insert = (batch: number) =>
  `INSERT INTO t SELECT dateadd('T', (${batch * batchRows} + x)::int, '2025-09-01T00:00:00Z'::timestamp), 'w' || (x % 5), ${batch * batchRows} + x, ` +
  `'path-' || x || '${"-longer".repeat(30)}' FROM long_sequence(${batchRows})`;

const isSuspended = async ({ exec }: OwnQuestdb) => (await exec("SELECT suspended FROM wal_tables()"))[0]?.[0];

/** A table with dropped columns whose last rows are in the log, and now find no room. */
async function fillBeforeApplied(context: TestContext, options: OwnQuestdbOptions = {}) {
  disk = mountSmallDisk(192 << 20);
  if (disk === undefined) return context.skip("this user may not mount a file system to fill");
  questdb = await startOwnQuestdb(disk.directory, { QDB_DEV_MODE_ENABLED: "true" }, options);
  const { exec } = questdb;
  await exec(
    "CREATE TABLE t (ts TIMESTAMP, website_id SYMBOL INDEX, event_key LONG, path VARCHAR) " +
      "TIMESTAMP(ts) PARTITION BY DAY WAL DEDUP UPSERT KEYS(ts, website_id, event_key)",
  );
  // As each erasure does, to begin new segments of the write-ahead log.
  for (let column = 0; column < droppedColumns; column += 1) {
    await exec("ALTER TABLE t ADD COLUMN roll BYTE");
    await exec("ALTER TABLE t DROP COLUMN roll");
  }
  await exec(insert(0));
  await whenAllApplied(questdb);
  await exec("ALTER TABLE t SUSPEND WAL WITH 'DISK FULL', 'by hand'");
  await exec(insert(1));
  disk.fill(1 << 20);
  await exec("ALTER TABLE t RESUME WAL");
  return { questdb, disk };
}

async function expectAllRows({ exec }: OwnQuestdb): Promise<void> {
  const rows = 2 * batchRows;
  expect(await exec("SELECT count(), sum(event_key) FROM t")).toEqual([[rows, (rows * (rows + 1)) / 2]]);
}

// Each starts a QuestDB once or twice, which takes a busy machine minutes.
describe("8: rows that cannot be appended on a full disk", { timeout: 900_000 }, () => {
  test("suspend their table, which has dropped columns, and are all there once it is resumed", async (context) => {
    const full = await fillBeforeApplied(context);
    await expect.poll(() => isSuspended(full.questdb)).toBe(true);
    full.disk.free();
    await full.questdb.exec("ALTER TABLE t RESUME WAL");
    await whenAllApplied(full.questdb);
    await expectAllRows(full.questdb);
    expect(full.questdb.said).toEqual([]);
  });

  test("are all there after an unpatched QuestDB, which applies nothing more, was started again by itself", async (context) => {
    const service = { QUESTDB_STUCK_AFTER_MS: "3000" };
    const full = await fillBeforeApplied(context, { isUnpatched: true, service });
    const said = async () => {
      // Something else may have failed first, for which the table was suspended.
      if (await isSuspended(full.questdb).catch(() => false)) await full.questdb.exec("ALTER TABLE t RESUME WAL");
      return full.questdb.said;
    };
    await expect
      .poll(said, { timeout: 300_000 })
      .toContainEqual(expect.stringMatching(/has applied nothing to the table t for \d+ s/));
    full.disk.free();
    await expect.poll(() => full.questdb.said, { timeout: 300_000 }).toContain("QuestDB answers again");
    await whenAllApplied(full.questdb);
    await expectAllRows(full.questdb);
  });
});
