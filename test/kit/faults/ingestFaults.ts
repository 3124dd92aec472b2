import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { executeStatement } from "../../../src/store/questdb/executeStatement.ts";
import { readQuestdbAddress } from "../../../src/store/questdb/questdbAddress.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import type { Stack } from "../../../stack/stack.ts";
import type { SmallDisk } from "../stack/smallDisk.ts";
import { type Ledger, sendOldEvents, startLoad } from "./faultLoad.ts";
import { signalFamily } from "./freeze.ts";

/**
 * The fault of a round: a kill -9 of the named process unless stated otherwise. `all` kills the API and every store; `questdb down` is down for the
 * whole round. In `byte flipped` QuestDB and the API are dead for a while, and one bit of each file of the API's log changes. In `log read-only` the
 * file system of the log takes no writes for some seconds.
 */
export const faults = [
  "api",
  "disk full and freed",
  "questdb",
  "questdb stopped",
  "postgres",
  "table suspended",
  "both",
  "log read-only",
  "postgres stopped",
  "all",
  "questdb down",
  "temporal stopped",
  "api while questdb is down",
  "byte flipped",
] as const;
export type Fault = (typeof faults)[number];

/** The faults that only a user who may mount a file system can cause. */
export const needsMount: ReadonlySet<Fault> = new Set(["disk full and freed", "log read-only"]);

/** The free space that a full disk may still have. */
const mostLeftBytes = 16 << 20;

/** Duration of a SIGSTOP. */
const stoppedMs = 20_000;

/**
 * Events with an id must be acknowledged = stored = distinct; of those without, at least the acknowledged and at most the sent. Rows may
 * only be missing that were counted as destroyed, in this round or before.
 */
export type RoundResult = {
  readonly fault: Fault;
  readonly acknowledged: number;
  readonly stored: number;
  readonly distinct: number;
  readonly metrics: number;
  readonly destroyed: number;
  readonly withoutId: { readonly acknowledged: number; readonly stored: number; readonly sent: number };
  readonly passed: boolean;
};

/**
 * Runs rounds of load and faults on a stack with all stores and the API; counts continue from round to round. `table suspended` needs a QuestDB in its
 * development mode (QDB_DEV_MODE_ENABLED), `disk full and freed` the small disk that DATA_DIR lies on.
 */
export async function runFaultRounds(
  stack: Stack,
  disk: SmallDisk | undefined,
  rounds: readonly Fault[],
  random: () => number,
  onRound: (result: RoundResult) => void = () => undefined,
): Promise<RoundResult[]> {
  const { dataDir } = stack.config.stack;
  const { websiteId }: { websiteId: string } = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
  const { baseUrl } = stack.config.server;
  const ledger: Ledger = { acknowledged: new Set(), sentWithoutId: 0, acknowledgedWithoutId: 0 };
  const results: RoundResult[] = [];
  const before = await countsBefore(stack, websiteId);
  for (const fault of rounds) {
    const url = `${baseUrl}/batch?website_id=${websiteId}`;
    const load = startLoad(url, 8, ledger, random);
    await pause(300 + random() * 1_500);
    if (fault === "disk full and freed") await fillDisk(disk, () => sendOldEvents(url, ledger, random), random);
    else await inject(stack, fault, random);
    await pause(random() * 1_000);
    await load.stop();
    if (outageFaults.has(fault)) await stack.restart("questdb");
    const result = await settle(stack, fault, websiteId, ledger, before, results.at(-1)?.destroyed ?? 0);
    onRound(result);
    results.push(result);
  }
  return results;
}

/** Faults during which QuestDB is down until their end. */
const outageFaults: ReadonlySet<Fault> = new Set(["questdb down", "api while questdb is down", "byte flipped"]);

async function inject(stack: Stack, fault: Fault, random: () => number): Promise<void> {
  if (fault === "questdb stopped") await freeze(stack, "questdb");
  else if (fault === "postgres stopped") await freeze(stack, "postgres");
  else if (fault === "temporal stopped") await freeze(stack, "temporal");
  else if (fault === "table suspended") {
    const table = random() < 0.5 ? "events" : "performance_metrics";
    const { http, queryTimeoutMs } = stack.config.questdb;
    const tag = random() < 0.5 ? "DISK FULL" : "UNSUPPORTED FILE SYSTEM";
    const statement = `ALTER TABLE ${table} SUSPEND WAL WITH '${tag}', 'suspended by hand'`;
    await executeStatement(readQuestdbAddress(http), statement, queryTimeoutMs);
    await pause(random() * 3_000);
  } else if (fault === "api") {
    await stack.kill("api");
    await stack.restart("api");
  } else if (fault === "questdb") {
    await stack.kill("questdb");
    await pause(random() * 2_000);
    await stack.restart("questdb");
  } else if (fault === "postgres") {
    await stack.kill("postgres");
    await pause(1_000 + random() * 2_000);
    await stack.restart("postgres");
  } else if (fault === "all") {
    const parts = ["api", "questdb", "postgres", "temporal"] as const;
    await Promise.all(parts.map((part) => stack.kill(part)));
    await Promise.all(parts.map((part) => pause(random() * 3_000).then(() => stack.restart(part))));
  } else if (fault === "log read-only") {
    await holdReadOnly(join(stack.config.stack.dataDir, "log"), 1_000 + random() * 4_000);
  } else if (fault === "both") {
    await Promise.all([stack.kill("api"), stack.kill("questdb")]);
    await Promise.all([stack.restart("api"), pause(random() * 2_000).then(() => stack.restart("questdb"))]);
  } else {
    await stack.kill("questdb");
    await pause(2_000 + random() * 1_000);
    if (fault === "questdb down") return;
    await stack.kill("api");
    if (fault === "byte flipped") await flipBytes(join(stack.config.stack.dataDir, "log"), random);
    await stack.restart("api");
    await pause(1_000);
  }
}

async function fillDisk(disk: SmallDisk | undefined, send: () => Promise<void>, random: () => number): Promise<void> {
  if (disk === undefined) throw new Error("DATA_DIR is not on a disk that may be filled");
  // With some space left QuestDB takes commits that it then cannot apply, and suspends the table.
  disk.fill(Math.floor(random() * mostLeftBytes));
  const sending = Promise.all([send(), send(), send()]);
  await pause(5_000 + random() * 15_000);
  disk.free();
  await sending;
}

/** No store answers while it is stopped, and its connections stay open. */
async function freeze(stack: Stack, store: "questdb" | "postgres" | "temporal"): Promise<void> {
  const processId = stack.processId(store);
  if (processId === undefined) throw new Error(`${store} does not run`);
  signalFamily(processId, "SIGSTOP");
  await pause(stoppedMs);
  signalFamily(processId, "SIGCONT");
}

/** A read-only mount of the directory over itself: permissions do not keep root from writing. */
async function holdReadOnly(directory: string, durationMs: number): Promise<void> {
  execFileSync("mount", ["--bind", directory, directory], { stdio: "pipe" });
  execFileSync("mount", ["-o", "remount,bind,ro", directory], { stdio: "pipe" });
  await pause(durationMs);
  // The API may have a file of the mount open.
  execFileSync("umount", ["--lazy", directory], { stdio: "pipe" });
}

/** Flips one bit of one byte of each log file below a directory. */
async function flipBytes(directory: string, random: () => number): Promise<void> {
  for (const name of await readdir(directory, { recursive: true })) {
    if (!name.endsWith(".log") || name.includes("damaged")) continue;
    const bytes = await readFile(join(directory, name));
    const at = Math.floor(random() * bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
    await writeFile(join(directory, name), bytes);
  }
}

/** Waits until the log is empty and the counts agree, or stay as they are for a while. */
async function settle(
  stack: Stack,
  fault: Fault,
  websiteId: string,
  ledger: Ledger,
  before: Counts,
  destroyedBefore: number,
): Promise<RoundResult> {
  const reader = new QuestdbReader(stack.config.questdb);
  try {
    for (let attempt = 0; ; attempt += 1) {
      const isDrained = (await metric(stack, "lookout_log_rows")) === 0;
      // The API counts since its start; in other rounds its log is not damaged.
      const damaged = fault === "byte flipped" ? await metric(stack, "lookout_log_damaged_total") : 0;
      const counts = await readCounts(reader, websiteId).catch(() => undefined);
      const result = counts && compare(counts, before, fault, ledger, destroyedBefore + damaged);
      if (result !== undefined && ((result.passed && isDrained) || attempt >= 240)) return result;
      if (attempt >= 360) throw new Error("The stores do not answer");
      await pause(500);
    }
  } finally {
    await reader.close();
  }
}

/** What is stored of a website. */
type Counts = {
  readonly total: number;
  readonly stored: number;
  readonly distinct: number;
  readonly metrics: number;
};

/** Earlier rounds on the same stack have stored events too, and have waited for them. */
async function countsBefore(stack: Stack, websiteId: string): Promise<Counts> {
  const reader = new QuestdbReader(stack.config.questdb);
  try {
    return await readCounts(reader, websiteId);
  } finally {
    await reader.close();
  }
}

async function readCounts(reader: QuestdbReader, websiteId: string): Promise<Counts> {
  const [row] = await reader.read(
    `SELECT count() AS total, count(event_id) AS stored, count_distinct(event_id) AS ids FROM events WHERE website_id = $1`,
    [websiteId],
  );
  const [loads] = await reader.read(`SELECT count() AS total FROM performance_metrics WHERE website_id = $1`, [
    websiteId,
  ]);
  return {
    total: Number(row?.["total"]),
    stored: Number(row?.["stored"]),
    distinct: Number(row?.["ids"]),
    metrics: Number(loads?.["total"]),
  };
}

function compare(counts: Counts, before: Counts, fault: Fault, ledger: Ledger, destroyed: number): RoundResult {
  const total = counts.total - before.total;
  const stored = counts.stored - before.stored;
  const distinct = counts.distinct - before.distinct;
  const metrics = counts.metrics - before.metrics;
  const acknowledged = ledger.acknowledged.size;
  const withoutId = { acknowledged: ledger.acknowledgedWithoutId, stored: total - stored, sent: ledger.sentWithoutId };
  const passed =
    stored <= acknowledged &&
    stored === distinct &&
    // A destroyed row is one of an event with an id, of one without, or of a performance figure.
    acknowledged - stored <= destroyed &&
    Math.abs(metrics - total) <= destroyed &&
    withoutId.acknowledged - destroyed <= withoutId.stored &&
    withoutId.stored <= withoutId.sent;
  return { fault, acknowledged, stored, distinct, metrics, destroyed, withoutId, passed };
}

async function metric(stack: Stack, name: string): Promise<number> {
  const response = await fetch(`${stack.config.server.baseUrl}/metrics`).catch(() => undefined);
  const text = (await response?.text()) ?? "";
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}
