/**
 * `node bench/lifecycle/export.ts [--rows 1000000]`: exports of events in each format, as JSON: rows a second from the request to the
 * finished archive, and in a second export the most memory that worker and API take above idle, with what they start: reading how much
 * memory they share takes time from them. Beside it, in the same run and for the same rows,
 * DuckDB's own COPY of a table in memory, which neither reads a store nor makes an archive, and QuestDB's /exp, which has no archive either.
 * Then each export runs once more while another website's queries are timed, one after the other without a pause.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { execRequest, readQuestdbAddress } from "../../src/store/questdb/questdbAddress.ts";
import { round } from "../../test/kit/load/figures.ts";
import { childWith } from "../../test/kit/load/processUsage.ts";
import { type Owner, ownerOf } from "../../test/kit/stack/owner.ts";
import { startUptimeStack } from "../../test/kit/stack/uptimeStack.ts";
import { readArchive } from "../../test/kit/stores/readArchive.ts";
import {
  downloadArchive,
  type Format,
  fileOf,
  formats,
  type ShownExport,
  startExport,
  untilExported,
} from "./exportCalls.ts";
import { insertManyEvents } from "./manyEvents.ts";
import { makeWebsite, summaryOf, timeQueries } from "./otherQueries.ts";
import { type PeakMemory, watchMemory } from "./peakMemory.ts";

const { values: given } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });
const rows = Number(given.rows);

/** Limits: rows a second, growth of the memory of worker and API, and how much longer another website's queries may take. */
const reach = { rowsPerSecond: 150_000, memoryAboveIdleMb: 300, p95Ratio: 1.5 };

/** Events of the other website, and its queries before each export. */
const [otherRows, queriesBefore] = [300_000, 150];

/** Figures of each file, to compare their contents. */
const checkSql = `count(*)::int AS "rows", count(DISTINCT event_id)::int AS ids, sum(interaction_count)::int AS sum,
  count(title)::int AS titles, count(properties)::int AS properties, count(DISTINCT path)::int AS paths`;

const folder = await mkdtemp(join(tmpdir(), "lookout-export-"));
const bench = await startUptimeStack({ log: console.error });
const duckdb = await DuckDBInstance.create(":memory:");
try {
  const owner = await ownerOf(bench.config);
  await insertManyEvents(bench.questdb, owner.websiteId, rows);
  const other = await makeWebsite(owner);
  await insertManyEvents(bench.questdb, other, otherRows);
  const loadBefore = loadavg().map((value) => round(value, 1));
  const connection = await duckdb.connect();
  // The first export of a worker: nothing of an export is in memory before.
  const first = { format: "parquet", aboveIdleMb: await measureMemory(owner, "parquet") };
  const lookout = [];
  const same = new Set<string>();
  for (const format of formats) {
    const measured = await measureExport(owner, format);
    same.add(await checkOf(connection, format));
    lookout.push(measured);
  }
  const baseline = [...(await measureDuckdb(connection)), ...(await measureQuestdb(owner.websiteId))];
  await timeQueries(owner, other, () => false, 20);
  const queries = [];
  for (const format of formats) queries.push(await measureQueries(owner, other, format));
  const machine = { node: process.version, cores: cpus().length, loadBefore };
  const check = [...same].map((text): unknown => JSON.parse(text));
  console.log(
    JSON.stringify({ benchmark: "export", machine, rows, reach, first, lookout, check, queries, baseline }, null, 2),
  );
} finally {
  duckdb.closeSync();
  await bench.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Exports all rows; the finished export and how long it took. */
async function exportRows(owner: Owner, format: Format): Promise<{ shown: ShownExport; seconds: number }> {
  const beganMs = performance.now();
  const shown = await untilExported(owner, await startExport(owner, owner.websiteId, format));
  return { shown, seconds: (performance.now() - beganMs) / 1_000 };
}

/** Megabytes above idle while rows are exported and downloaded. */
async function measureMemory(owner: Owner, format: Format) {
  process.stderr.write(`memory of an export: ${format}\n`);
  const pids = { worker: childWith("workflows/worker.ts"), api: childWith("src/api.ts") };
  const memory = await watchMemory(pids, async () => await downloadArchive((await exportRows(owner, format)).shown));
  const aboveIdle = ({ idleBytes, peakBytes }: PeakMemory) => round((peakBytes - idleBytes) / 1e6, 0);
  return Object.fromEntries(Object.entries(memory).map(([name, peak]) => [name, aboveIdle(peak)]));
}

async function measureExport(owner: Owner, format: Format) {
  process.stderr.write(`export: ${format}\n`);
  const { shown, seconds } = await exportRows(owner, format);
  const beganMs = performance.now();
  const archive = await downloadArchive(shown);
  const downloadSeconds = (performance.now() - beganMs) / 1_000;
  await writeFile(join(folder, fileOf[format]), readArchive(archive).get(fileOf[format]) ?? Buffer.alloc(0));
  return {
    format,
    rows: shown.rows_done,
    seconds: round(seconds, 1),
    rowsPerSecond: round(shown.rows_done / seconds, 0),
    archiveMb: round(shown.bytes / 1e6, 1),
    downloadMbPerSecond: round(shown.bytes / 1e6 / downloadSeconds, 0),
    aboveIdleMb: await measureMemory(owner, format),
  };
}

async function measureQueries(owner: Owner, other: string, format: Format) {
  process.stderr.write(`queries beside an export: ${format}\n`);
  const before = summaryOf(await timeQueries(owner, other, () => false, queriesBefore));
  let isOver = false;
  const exporting = exportRows(owner, format).finally(() => {
    isOver = true;
  });
  const during = summaryOf(await timeQueries(owner, other, () => isOver));
  const { seconds } = await exporting;
  const p95Ratio = round(during.p95Ms / before.p95Ms, 2);
  return { format, rowsPerSecond: round(rows / seconds, 0), before, during, p95Ratio };
}

async function checkOf(connection: DuckDBConnection, format: Format): Promise<string> {
  const read = await connection.runAndReadAll(`SELECT ${checkSql} FROM '${join(folder, fileOf[format])}'`);
  return JSON.stringify(read.getRowObjectsJson()[0]);
}

async function measureDuckdb(connection: DuckDBConnection) {
  await connection.run(`CREATE TABLE events AS SELECT * FROM '${join(folder, fileOf.parquet)}'`);
  const figures = [];
  for (const format of formats) {
    const beganMs = performance.now();
    await connection.run(`COPY events TO '${join(folder, `copy.${format}`)}' (FORMAT ${format})`);
    figures.push(figureOf("DuckDB COPY", format, beganMs));
  }
  return figures;
}

async function measureQuestdb(websiteId: string) {
  const figures = [];
  for (const format of ["csv", "parquet"] as const) {
    const { url, headers } = execRequest(
      readQuestdbAddress(bench.config.questdb.http),
      `SELECT * FROM events WHERE website_id = '${websiteId}'`,
    );
    url.pathname = "/exp";
    url.searchParams.set("fmt", format);
    const beganMs = performance.now();
    const answer = await fetch(url, { headers });
    if (!answer.ok || answer.body === null) throw new Error(`/exp answered ${answer.status}: ${await answer.text()}`);
    let bytes = 0;
    for await (const piece of answer.body) bytes += piece.length;
    figures.push({ ...figureOf("QuestDB /exp", format, beganMs), mb: round(bytes / 1e6, 1) });
  }
  return figures;
}

function figureOf(what: string, format: string, beganMs: number) {
  const seconds = (performance.now() - beganMs) / 1_000;
  return { what, format, seconds: round(seconds, 1), rowsPerSecond: round(rows / seconds, 0) };
}
