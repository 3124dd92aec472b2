import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { QuestdbReader } from "../../src/store/questdbReader.ts";
import type { Stack } from "../../stack/stack.ts";
import { type Ledger, startLoad } from "./faultLoad.ts";

/** What is killed in a round; `questdb away` is dead for the whole of it. */
export const faults = ["api", "questdb", "postgres", "both", "questdb away", "api while questdb is away"] as const;
export type Fault = (typeof faults)[number];

/** Events with an id must be acknowledged = stored = distinct; of those without, at least the acknowledged and at most the sent. */
export type RoundResult = {
  readonly fault: Fault;
  readonly acknowledged: number;
  readonly stored: number;
  readonly distinct: number;
  readonly metrics: number;
  readonly withoutId: { readonly acknowledged: number; readonly stored: number; readonly sent: number };
  readonly passed: boolean;
};

/** Runs rounds of load and kill -9 on a stack with QuestDB, PostgreSQL and the API; counts go on from round to round. */
export async function runFaultRounds(
  stack: Stack,
  rounds: readonly Fault[],
  random: () => number,
  onRound: (result: RoundResult) => void = () => undefined,
): Promise<RoundResult[]> {
  const { dataDir } = stack.config.stack;
  const { websiteId }: { websiteId: string } = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
  const { baseUrl } = stack.config.server;
  const ledger: Ledger = { acknowledged: new Set(), sentWithoutId: 0, acknowledgedWithoutId: 0 };
  const results: RoundResult[] = [];
  for (const fault of rounds) {
    const load = startLoad(`${baseUrl}/batch?website_id=${websiteId}`, 8, ledger, random);
    await pause(300 + random() * 1_500);
    await inject(stack, fault, random);
    await pause(random() * 1_000);
    await load.stop();
    if (fault === "questdb away" || fault === "api while questdb is away") await stack.restart("questdb");
    const result = await settle(stack, fault, websiteId, ledger);
    onRound(result);
    results.push(result);
  }
  return results;
}

async function inject(stack: Stack, fault: Fault, random: () => number): Promise<void> {
  if (fault === "api") {
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
  } else if (fault === "both") {
    await Promise.all([stack.kill("api"), stack.kill("questdb")]);
    await Promise.all([stack.restart("api"), pause(random() * 2_000).then(() => stack.restart("questdb"))]);
  } else {
    await stack.kill("questdb");
    await pause(2_000 + random() * 1_000);
    if (fault === "questdb away") return;
    await stack.kill("api");
    await stack.restart("api");
    await pause(1_000);
  }
}

/** Waits until the spool is empty and the counts agree, or stay as they are for a while. */
async function settle(stack: Stack, fault: Fault, websiteId: string, ledger: Ledger): Promise<RoundResult> {
  const reader = new QuestdbReader(stack.config.questdb);
  try {
    for (let attempt = 0; ; attempt += 1) {
      const result = await compare(reader, fault, websiteId, ledger).catch(() => undefined);
      const isDrained = (await spoolRows(stack)) === 0;
      if (result !== undefined && ((result.passed && isDrained) || attempt >= 120)) return result;
      if (attempt >= 240) throw new Error("The stores do not answer");
      await pause(500);
    }
  } finally {
    await reader.close();
  }
}

async function compare(reader: QuestdbReader, fault: Fault, websiteId: string, ledger: Ledger): Promise<RoundResult> {
  const [row] = await reader.read(
    `SELECT count() AS total, count(event_id) AS stored, count_distinct(event_id) AS ids FROM events WHERE website_id = $1`,
    [websiteId],
  );
  const [loads] = await reader.read(`SELECT count() AS total FROM performance_metrics WHERE website_id = $1`, [
    websiteId,
  ]);
  const total = Number(row?.["total"]);
  const stored = Number(row?.["stored"]);
  const distinct = Number(row?.["ids"]);
  const metrics = Number(loads?.["total"]);
  const acknowledged = ledger.acknowledged.size;
  const withoutId = { acknowledged: ledger.acknowledgedWithoutId, stored: total - stored, sent: ledger.sentWithoutId };
  const passed =
    acknowledged === stored &&
    stored === distinct &&
    metrics === total &&
    withoutId.acknowledged <= withoutId.stored &&
    withoutId.stored <= withoutId.sent;
  return { fault, acknowledged, stored, distinct, metrics, withoutId, passed };
}

async function spoolRows(stack: Stack): Promise<number> {
  const response = await fetch(`${stack.config.server.baseUrl}/metrics`).catch(() => undefined);
  const text = (await response?.text()) ?? "";
  return Number(/^lookout_spool_rows (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
}
