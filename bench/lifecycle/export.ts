/**
 * `npm run bench:export [-- --rows 1000000]`: exports of events in each format, as JSON: rows a second from the request to the
 * finished archive, and in a second export the most memory that worker and API take above idle, with what they start: reading how much
 * memory they share takes time from them. Beside it, in the same run and for the same rows,
 * DuckDB's own COPY of a table in memory, which neither reads a store nor makes an archive, and QuestDB's /exp, which has no archive either.
 * Then each export runs once more while another website's queries are timed, one after the other without a pause.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { execRequest } from "../../src/store/questdb/execRequest.ts";
import { absolute, type Bench, type BenchRun, type Figure, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { round } from "../../test/kit/load/figures.ts";
import { childWith } from "../../test/kit/load/processUsage.ts";
import type { BenchStack } from "../../test/kit/stack/benchStacks.ts";
import type { Owner } from "../../test/kit/stack/owner.ts";
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
import { insertManyEvents, pageViewsOf, sessionsAreStored } from "./manyEvents.ts";
import { makeWebsite, type OtherWebsite, summaryOf, timeQueries } from "./otherQueries.ts";
import { type PeakMemory, watchMemory } from "./peakMemory.ts";

/** Limits: rows a second, growth of the memory of worker and API, and how much longer another website's queries may take. */
const reach = { rowsPerSecond: 150_000, memoryAboveIdleMb: 300, p95Ratio: 1.5 };

/** Figures of each file, to compare their contents. */
const checkSql = `count(*)::int AS "rows", count(DISTINCT event_id)::int AS ids, sum(interaction_count)::int AS sum,
  count(title)::int AS titles, count(properties)::int AS properties, count(DISTINCT path)::int AS paths`;

export const bench: Bench = {
  name: "export",
  measure: async (run) => {
    const folder = await mkdtemp(join(tmpdir(), "lookout-export-"));
    try {
      return await run.stacks.use({}, (stack) => measure(run, stack, folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure({ isSmoke, args }: BenchRun, stack: BenchStack, folder: string) {
  const { owner, config } = stack;
  const { values } = parseArgs({ args: [...args], options: { rows: { type: "string", default: "1000000" } } });
  const rows = isSmoke ? 2_000 : Number(values.rows);
  const otherRows = isSmoke ? 1_000 : 300_000;
  const queriesBefore = isSmoke ? 5 : 150;
  await insertManyEvents(stack, owner.websiteId, rows);
  const other = { id: await makeWebsite(owner), pageviews: pageViewsOf(otherRows) };
  await insertManyEvents(stack, other.id, otherRows);
  if (!isSmoke) await sessionsAreStored(stack);
  const duckdb = await DuckDBInstance.create(":memory:");
  try {
    const connection = await duckdb.connect();
    // The first export of a worker: nothing of an export is in memory before.
    const first = { format: "parquet", aboveIdleMb: await measureMemory(owner, "parquet") };
    const exports = [];
    const contents: Content[] = [];
    for (const format of formats) {
      exports.push(await measureExport(owner, format, folder));
      contents.push(await contentOf(connection, format, folder));
    }
    const baseline = [
      ...(await measureDuckdb(connection, folder, rows)),
      ...(await measureQuestdb(config, owner.websiteId, rows)),
    ];
    await timeQueries(owner, other, () => false, isSmoke ? 1 : 20);
    const queries = [];
    for (const format of formats) queries.push(await measureQueries(owner, other, format, queriesBefore));
    const figures: Record<string, Figure> = {};
    for (const [index, { format, rowsPerSecond, aboveIdleMb }] of exports.entries()) {
      const copy = baseline.find((each) => each.what === "DuckDB COPY" && each.format === format);
      const p95Ratio = queries[index]?.p95Ratio ?? Number.NaN;
      figures[`${format}: rows a second / DuckDB COPY`] = ratio(
        round(rowsPerSecond / (copy?.rowsPerSecond ?? Number.NaN), 2),
        "higher",
      );
      figures[`${format}: p95 of another website's queries / before`] = ratio(p95Ratio, "lower", reach.p95Ratio);
      figures[`${format}: rows a second`] = absolute(rowsPerSecond, "1/s", "higher", reach.rowsPerSecond);
      for (const [name, mb] of Object.entries(aboveIdleMb))
        figures[`${format}: memory above idle, ${name}`] = absolute(mb, "MB", "lower", reach.memoryAboveIdleMb);
    }
    return {
      settings: { rows, otherRows },
      figures,
      problems: wrongContents(contents, rows),
      details: { first, exports, contents, queries, baseline },
    };
  } finally {
    duckdb.closeSync();
  }
}

type Content = Readonly<Record<string, unknown>>;

/** Each event is in each file once, and all files have the same content. */
function wrongContents(contents: readonly Content[], rows: number): string[] {
  return contents.flatMap((content, index) => {
    const isWhole = content["rows"] === rows && content["ids"] === rows;
    const isSame = isDeepStrictEqual(content, contents[0]);
    return isWhole && isSame
      ? []
      : [
          `${formats[index]}: ${JSON.stringify(content)} of ${rows} rows, ${formats[0]} has ${JSON.stringify(contents[0])}`,
        ];
  });
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
  const pids = { worker: childWith("workflows/worker.ts"), api: childWith("src/main/api.ts") };
  const memory = await watchMemory(pids, async () => await downloadArchive((await exportRows(owner, format)).shown));
  const aboveIdle = ({ idleBytes, peakBytes }: PeakMemory) => round((peakBytes - idleBytes) / 1e6, 0);
  return Object.fromEntries(Object.entries(memory).map(([name, peak]) => [name, aboveIdle(peak)]));
}

async function measureExport(owner: Owner, format: Format, folder: string) {
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

async function measureQueries(owner: Owner, other: OtherWebsite, format: Format, queriesBefore: number) {
  process.stderr.write(`queries beside an export: ${format}\n`);
  const before = summaryOf(await timeQueries(owner, other, () => false, queriesBefore));
  let isOver = false;
  const exporting = exportRows(owner, format).finally(() => {
    isOver = true;
  });
  const during = summaryOf(await timeQueries(owner, other, () => isOver));
  const { seconds, shown } = await exporting;
  const p95Ratio = round(during.p95Ms / before.p95Ms, 2);
  return { format, rowsPerSecond: round(shown.rows_done / seconds, 0), before, during, p95Ratio };
}

async function contentOf(connection: DuckDBConnection, format: Format, folder: string): Promise<Content> {
  const read = await connection.runAndReadAll(`SELECT ${checkSql} FROM '${join(folder, fileOf[format])}'`);
  return read.getRowObjectsJson()[0] ?? {};
}

async function measureDuckdb(connection: DuckDBConnection, folder: string, rows: number) {
  await connection.run(`CREATE TABLE events AS SELECT * FROM '${join(folder, fileOf.parquet)}'`);
  const figures = [];
  for (const format of formats) {
    const beganMs = performance.now();
    await connection.run(`COPY events TO '${join(folder, `copy.${format}`)}' (FORMAT ${format})`);
    figures.push(figureOf("DuckDB COPY", format, beganMs, rows));
  }
  return figures;
}

async function measureQuestdb({ questdb }: BenchStack["config"], websiteId: string, rows: number) {
  const figures = [];
  for (const format of ["csv", "parquet"] as const) {
    const { url, headers } = execRequest(questdb.http, `SELECT * FROM events WHERE website_id = '${websiteId}'`);
    url.pathname = "/exp";
    url.searchParams.set("fmt", format);
    const beganMs = performance.now();
    const answer = await fetch(url, { headers });
    if (!answer.ok || answer.body === null) throw new Error(`/exp answered ${answer.status}: ${await answer.text()}`);
    let bytes = 0;
    for await (const piece of answer.body) bytes += piece.length;
    figures.push({ ...figureOf("QuestDB /exp", format, beganMs, rows), mb: round(bytes / 1e6, 1) });
  }
  return figures;
}

function figureOf(what: string, format: string, beganMs: number, rows: number) {
  const seconds = (performance.now() - beganMs) / 1_000;
  return { what, format, seconds: round(seconds, 1), rowsPerSecond: round(rows / seconds, 0) };
}

if (import.meta.main) await runAsScript(bench);
