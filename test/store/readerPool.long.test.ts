import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askBesideChanges } from "../kit/pooledReaders/askBesideChanges.ts";
import { compiler, failingMaps } from "../kit/pooledReaders/failingMaps.ts";
import { makeFixedRows } from "../kit/pooledReaders/fixedRows.ts";
import { type OwnQuestdb, startOwnQuestdb } from "../kit/pooledReaders/ownQuestdb.ts";
import { sized } from "../kit/random/sized.ts";

const triggers = [
  { name: "with the settings of npm start", settings: {}, mayFail: [] },
  {
    name: "while refreshes time out",
    settings: { QDB_CAIRO_SPIN_LOCK_TIMEOUT: "3" },
    // Cursors of an index and readers of its header wait as long, and say this when the time is over.
    mayFail: [/read timeout/, /could not consistently read index header/],
  },
  { name: "while files cannot be mapped", settings: {}, mapsFail: true, mayFail: [/could not (?:mmap|remap)/] },
];

/** Of all triggers. */
const answers = Number(process.env["READER_POOL_ANSWERS"] ?? sized(600, 5_000));

/** Lines of QuestDB's log about something that two statements used, or freed, and about a crash. */
const misuse = /NullPointerException|Cannot invoke|fd is already closed|double close|SIGSEGV|^# [A-Za-z] +\d* /;

/** Days split, and are joined again, by a few rows. */
const splits = { QDB_CAIRO_O3_PARTITION_SPLIT_MIN_SIZE: "20K", QDB_CAIRO_O3_LAST_PARTITION_MAX_SPLITS: "3" };

let directory: string;
let questdb: OwnQuestdb | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-pool-"));
});
afterEach(async () => {
  await questdb?.stop();
  questdb = undefined;
  await rm(directory, { recursive: true, force: true });
});

describe("no answer lacks rows, and QuestDB does not crash", () => {
  test.for(triggers)("$name", { timeout: 3_600_000 }, async ({ name, settings, mapsFail, mayFail }, context) => {
    if (mapsFail && compiler === undefined) context.skip("there is no C compiler");
    const during = join(directory, "maps-fail");
    const maps = mapsFail ? await failingMaps(directory, 400, during) : {};
    questdb = await startOwnQuestdb(join(directory, "data"), { ...splits, ...settings, ...maps });
    await makeFixedRows(questdb);
    const { wrong, failures, ...counts } = await askBesideChanges(questdb, answers / triggers.length, () =>
      writeFile(during, ""),
    );
    console.log(`[reader pool] ${name}`, { ...counts, wrong: wrong.length, failures: Object.fromEntries(failures) });
    expect(counts.answers).toBeGreaterThan(0);
    expect({
      wrong: wrong.slice(0, 3),
      ended: questdb.said,
      failed: [...failures.keys()].filter((text) => !mayFail.some((known) => known.test(text))),
      logged: (await questdb.readLog()).split("\n").filter((line) => misuse.test(line)),
    }).toEqual({ wrong: [], ended: [], failed: [], logged: [] });
  });
});
