/**
 * `npm run bench:export-faults [-- rounds [seed]]`: kill -9 of the worker, QuestDB, DuckDB's process, Temporal and of all of them at a
 * random moment of an export, and its cancellation, on a stack of its own. JSON out; exit code 1 when an archive's content is not that of an
 * undisturbed export, or something of a cancelled one is left.
 */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench, BenchRun } from "../../test/kit/bench/bench.ts";
import { measuredRounds, roundsOf } from "../../test/kit/bench/faultRounds.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { childWith, descendantsWith } from "../../test/kit/load/processUsage.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import type { BenchStack } from "../../test/kit/stack/benchStacks.ts";
import { type Owner, postJson } from "../../test/kit/stack/owner.ts";
import { readArchive } from "../../test/kit/stores/readArchive.ts";
import {
  downloadArchive,
  type Format,
  fileOf,
  formats,
  type ShownExport,
  startExport,
  untilExport,
  untilExported,
} from "./exportCalls.ts";
import { insertManyEvents } from "./manyEvents.ts";

const faults = {
  worker: ["worker"],
  questdb: ["questdb"],
  encoder: [],
  cancel: [],
  temporal: ["temporal"],
  all: ["questdb", "temporal", "postgres", "api", "worker"],
} as const;
type Fault = keyof typeof faults;
const names = Object.keys(faults) as Fault[];

const encoder = "parquetEncoder.ts";

export const bench: Bench = { name: "export-faults", measure };

async function measure(run: BenchRun) {
  const { rounds, seed } = roundsOf(run, 18);
  const random = seededRandom(seed);
  const rows = run.isSmoke ? 20_000 : 200_000;
  const partRows = rows / 4;
  return await run.stacks.use({ values: { exports: { partRows } } }, async (stack) => {
    const { owner } = stack;
    await insertManyEvents(stack, owner.websiteId, rows);
    const expected = new Map<Format, string>();
    for (const format of formats) expected.set(format, await contentOf(await exported(owner, format), format));
    const results = [];
    for (let round = 0; round < rounds; round += 1) {
      const fault = names[round % names.length] ?? "worker";
      const format = fault === "encoder" ? "parquet" : (formats[Math.floor(random() * formats.length)] ?? "csv");
      const afterMs = Math.round(random() * 1_500);
      const result = await runRound(stack, { fault, format, afterMs, rows, content: expected.get(format) ?? "" });
      console.error(JSON.stringify(result));
      results.push(result);
    }
    return measuredRounds({ rounds, seed, rows, partRows }, results);
  });
}

type Round = {
  readonly fault: Fault;
  readonly format: Format;
  readonly afterMs: number;
  /** Of an export that is not disturbed. */
  readonly rows: number;
  readonly content: string;
};

async function runRound({ stack, owner }: BenchStack, { fault, format, afterMs, rows, content: expected }: Round) {
  const id = await startExport(owner, owner.websiteId, format);
  await untilExport(owner, id, ({ rows_done: done, status }) => done > 0 || status !== "processing");
  await pause(afterMs);
  const worker = childWith("workflows/worker.ts");
  if (fault === "cancel") return { fault, format, afterMs, problems: await cancel(stack.config, owner, id, worker) };
  const killed = fault === "encoder" ? killEncoder(worker) : 0;
  await Promise.all(faults[fault].map((part) => stack.kill(part)));
  if (faults[fault].length > 0) await pause(1_000);
  for (const part of faults[fault]) await stack.restart(part);
  const shown = await untilExported(owner, id);
  const content = shown.status === "completed" ? await contentOf(shown, format) : "";
  const problems = [
    ...(shown.status === "completed" ? [] : [`it is ${shown.status}: ${shown.reason}`]),
    ...(content === expected ? [] : ["its content differs"]),
    ...(shown.rows_done === rows ? [] : [`it has ${shown.rows_done} rows`]),
  ];
  return { fault, format, afterMs, ...(fault === "encoder" ? { killed } : {}), problems };
}

/** How many processes of DuckDB were killed: none between two parts. */
function killEncoder(worker: number): number {
  const found = descendantsWith(worker, encoder);
  for (const pid of found) process.kill(pid, "SIGKILL");
  return found.length;
}

async function cancel({ stack }: BenchStack["config"], owner: Owner, id: string, worker: number) {
  const answer = await postJson<{ status: string }>(owner, `/v1/exports/${id}/cancel`, {}).catch(String);
  const isLeft = () => readdirSync(join(stack.dataDir, "exports")).includes(id);
  for (let tries = 0; tries < 100 && (isLeft() || descendantsWith(worker, encoder).length > 0); tries += 1)
    await pause(100);
  return [
    ...(typeof answer !== "string" || answer.includes("already") ? [] : [answer]),
    ...(isLeft() && typeof answer !== "string" ? ["files are left"] : []),
    ...(descendantsWith(worker, encoder).length > 0 ? ["a process is left"] : []),
  ];
}

async function exported(owner: Owner, format: Format): Promise<ShownExport> {
  return await untilExported(owner, await startExport(owner, owner.websiteId, format));
}

async function contentOf(shown: ShownExport, format: Format): Promise<string> {
  const file = readArchive(await downloadArchive(shown)).get(fileOf[format]) ?? "";
  return createHash("sha256").update(file).digest("hex");
}

if (import.meta.main) await runAsScript(bench);
