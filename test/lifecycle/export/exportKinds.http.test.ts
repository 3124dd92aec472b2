import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { handlers } from "../../../src/main/handlers.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { countsOf, dayOf, receiptOf, startErasure } from "../../kit/calls/erasureCalls.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { addressOf, ask, download, ended, hasFiles, show, start } from "./exportCalls.ts";
import { type ExportedRow, expectSameRows, readExported } from "./exportedRows.ts";
import { hasJava, readWithJava } from "./javaZipReader.ts";
import { incidentKinds, insertIncidents, insertOthers, otherFiles, otherRows, otherTables } from "./otherSource.ts";

vi.setConfig({ testTimeout: 240_000 });

const dayMs = 86_400_000;
const fromMs = noonDaysAgo(25);
const days = { start_date: dayOf(fromMs), end_date: dayOf(fromMs) };
const dataTypes = ["excluded_traffic", "performance", "errors", "llm_calls", "link_clicks", "uptime"];
const names = [...otherTables, "incidents"];

let questdb: QuestdbReader;
let postgres: pg.Pool;
/** Writes parts of few rows, so that each begins at the last key of the one before. */
let inParts: OwnServer;

/** Rows of each kind that is no event, by the name of its file: on the day and one before it. */
async function fill(website: TestWebsite, count: number): Promise<ReadonlyMap<string, ExportedRow[]>> {
  const rows = new Map<string, ExportedRow[]>();
  for (const table of otherTables) {
    rows.set(table, otherRows(table, count, website.websiteId, fromMs));
    await insertOthers(questdb, table, rows.get(table) ?? []);
    await insertOthers(questdb, table, otherRows(table, 4, website.websiteId, fromMs - dayMs));
  }
  rows.set("incidents", await insertIncidents(postgres, website, count, fromMs));
  return rows;
}

beforeAll(async () => {
  questdb = openQuestdb();
  const { databaseUrl, dataDir } = inject("lookout");
  postgres = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  inParts = await startOwnServer(
    handlers,
    { DATA_DIR: dataDir, EXPORT_MAX_RUNNING: "8" },
    { exports: { partRows: 7 } },
  );
});
afterAll(async () => {
  await Promise.all([inParts?.close(), postgres?.end(), questdb?.close()]);
});

describe("4.18: what was left out, performance, errors, calls of language models, clicks, checks and incidents", () => {
  let website: TestWebsite;
  let rows: ReadonlyMap<string, ExportedRow[]>;
  beforeAll(async () => {
    const [own, other] = await Promise.all([createWebsite(), createWebsite()]);
    website = own;
    rows = await fill(website, 30);
    await fill(other, 4);
    // Calls and clicks of the organization belong to none of its websites.
    for (const table of ["llm_calls", "link_clicks"] as const)
      await insertOthers(
        questdb,
        table,
        otherRows(table, 4, website.websiteId, fromMs).map((row) => {
          return {
            ...row,
            website_id: null,
            ...(table === "link_clicks" ? { link_id: "link of the organization" } : {}),
          };
        }),
      );
  });

  test.for([
    { format: "csv", extension: "csv", pieces: "whole" },
    { format: "json", extension: "ndjson", pieces: "in parts" },
    { format: "parquet", extension: "parquet", pieces: "in parts" },
    { format: "parquet", extension: "parquet", pieces: "whole" },
  ])("$format, $pieces, holds exactly the website's stored rows, in order", async ({ format, extension, pieces }) => {
    const request = { ...days, format, data_types: dataTypes };
    const server = pieces === "whole" ? undefined : inParts;
    const shown = await ended(await start(website.websiteId, request, website, server), website);
    const files = await download(shown);
    expect([...files.keys()]).toEqual([...names.map((name) => `${name}.${extension}`), "manifest.json"]);
    const read = (name: string) => files.get(`${name}.${extension}`) ?? Buffer.alloc(0);
    for (const table of otherTables)
      expectSameRows(
        await readExported(`${table}.${extension}`, read(table), otherFiles[table].kinds),
        rows.get(table) ?? [],
      );
    expectSameRows(
      await readExported(`incidents.${extension}`, read("incidents"), incidentKinds),
      rows.get("incidents") ?? [],
    );
    expect(JSON.parse(String(files.get("manifest.json")))).toMatchObject({
      rows: 30 * names.length,
      files: names.map((name) => ({ name: `${name}.${extension}`, rows: 30 })),
    });
    expect(shown).toMatchObject({ rows_done: 30 * names.length, rows_total: 30 * names.length });
  });

  test.skipIf(!hasJava)("an archive of Parquet is read by Java's ZipInputStream (skipped without javac)", async () => {
    const request = { ...days, format: "parquet", data_types: dataTypes };
    const shown = await ended(await start(website.websiteId, request, website), website);
    const files = await download(shown);
    const folder = await mkdtemp(join(tmpdir(), "lookout-zip-"));
    try {
      const archive = join(folder, "export.zip");
      await writeFile(archive, Buffer.from(await (await fetch(addressOf(shown))).arrayBuffer()));
      expect(await readWithJava(archive, folder)).toEqual(
        [...files].map(([name, bytes]) => `${name} ${createHash("sha256").update(bytes).digest("hex")}`),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test.for(["csv", "json", "parquet"])("%s without a row is a valid archive too", async (format) => {
    const request = { start_date: "2001-01-01", end_date: "2001-01-02", format, data_types: dataTypes };
    const files = await download(await ended(await start(website.websiteId, request, website), website));
    expect(JSON.parse(String(files.get("manifest.json")))).toMatchObject({ rows: 0, files: names.map(() => ({})) });
  });

  test("a key of another website gets nothing, and one that only reads may not export", async () => {
    const [limited, reader] = await Promise.all([
      createKey({ organizationId: website.organizationId, websiteIds: [(await createWebsite()).websiteId] }),
      createKey({ organizationId: website.organizationId, scopes: ["read:data", "read:uptime", "read:links"] }),
    ]);
    for (const data_types of dataTypes.map((type) => [type])) {
      const body = { ...days, format: "csv", data_types };
      expect(await ask(website.websiteId, body, { apiKey: limited })).toMatchObject({ status: 404 });
      expect(await ask(website.websiteId, body, { apiKey: reader })).toMatchObject({ status: 403 });
    }
  });
});

describe("4.17: an erasure during an export", () => {
  test("withdraws what holds erased rows, finished or running, and a new export holds what is left", async () => {
    const website = await createWebsite();
    await fill(website, 60);
    const parquet = { ...days, format: "parquet" };
    const [performance, uptime, clicks, calls] = await Promise.all(
      ["performance", "uptime", "link_clicks", "llm_calls"].map(async (type) => {
        return (await ended(await start(website.websiteId, { ...days, data_types: [type] }, website, inParts), website))
          .export_id;
      }),
    );
    const running = await start(
      website.websiteId,
      { ...parquet, data_types: ["link_clicks", "uptime"] },
      website,
      inParts,
    );
    await expect.poll(async () => (await show(running, website)).rows_done).toBeGreaterThan(0);

    const { deletion_id } = await startErasure(website, { ...days, data_types: ["performance", "uptime"] });
    const receipt = await receiptOf(website, deletion_id);
    expect(countsOf(receipt)).toMatchObject({
      performance_metrics: [60, 0],
      uptime_checks: [60, 0],
      // Twelve of them last.
      incidents: [48, 0],
    });
    expect(receipt.exports_withdrawn.toSorted()).toEqual([performance, uptime, running].map(String).toSorted());
    const reason = "Data of these days was erased. Start a new export of what is left";
    for (const id of [performance, uptime, running].map(String)) {
      expect(await show(id, website)).toMatchObject({
        status: id === running ? "cancelled" : "expired",
        reason,
        download_url: null,
      });
      expect(await hasFiles(id), id).toBe(false);
    }
    for (const id of [clicks, calls].map(String))
      expect(await show(id, website)).toMatchObject({ status: "completed" });

    const left = await ended(await start(website.websiteId, { ...days, data_types: dataTypes }, website), website);
    expect(JSON.parse(String((await download(left)).get("manifest.json")))).toMatchObject({
      files: [60, 0, 60, 60, 60, 0, 12].map((rows) => ({ rows })),
    });
  });
});
