import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import type { Stack } from "../../../stack/stack.ts";
import { type Ledger, sendOldEvents, startLoad } from "./faultLoad.ts";
import { type Fault, type FaultMeans, injectFault, outageFaults } from "./injectFault.ts";

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

export type RoundHooks = {
  /** Called before the load of a round begins, which waits for it. */
  readonly onStart?: (round: number, fault: Fault) => Promise<void>;
  readonly onRound?: (result: RoundResult) => void;
};

/**
 * Runs rounds of load and faults on a stack with all stores and the API; counts continue from round to round. `table suspended` needs a QuestDB in its
 * development mode (QDB_DEV_MODE_ENABLED), `disk full and freed` the small disk that DATA_DIR lies on.
 */
export async function runFaultRounds(
  stack: Stack,
  means: FaultMeans,
  rounds: readonly Fault[],
  random: () => number,
  { onStart, onRound }: RoundHooks = {},
): Promise<RoundResult[]> {
  const { dataDir } = stack.config.stack;
  const { websiteId }: { websiteId: string } = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
  const { baseUrl } = stack.config.server;
  const ledger: Ledger = { acknowledged: new Set(), sentWithoutId: 0, acknowledgedWithoutId: 0 };
  const results: RoundResult[] = [];
  const before = await countsBefore(stack, websiteId);
  for (const [round, fault] of rounds.entries()) {
    await onStart?.(round, fault);
    const url = `${baseUrl}/batch?website_id=${websiteId}`;
    const load = startLoad(url, 8, ledger, random);
    await pause(300 + random() * 1_500);
    await injectFault(stack, means, fault, random, () => sendOldEvents(url, ledger, random));
    await pause(random() * 1_000);
    await load.stop();
    if (outageFaults.has(fault)) await stack.restart("questdb");
    const result = await settle(stack, fault, websiteId, ledger, before, results.at(-1)?.destroyed ?? 0);
    onRound?.(result);
    results.push(result);
  }
  return results;
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
