import { setTimeout as pause } from "node:timers/promises";
import type { Monitor } from "../../src/uptime/monitor.ts";
import { slotAfter } from "../../src/uptime/slots.ts";
import { postJson } from "./postJson.ts";
import { startMonitors, type UptimeStack } from "./uptimeStack.ts";

/** What is killed with kill -9 in a round. */
export const faults = ["worker", "all", "temporal", "questdb", "api"] as const;
export type Fault = (typeof faults)[number];

const killed = {
  worker: ["worker"],
  temporal: ["temporal"],
  questdb: ["questdb"],
  api: ["api"],
  all: ["worker", "api", "questdb", "temporal", "postgres"],
} as const;
/** Without these nothing is checked; the others are not in the way of a check. */
const checkers = new Set<string>(["worker", "temporal"]);

/** Slots of all monitors in a round. `gaps` were due while nothing could check them, `late` come after it. */
export type RoundResult = {
  readonly fault: Fault;
  /** Monitors without a running workflow. */
  readonly lost: number;
  /** Rows beyond one for each slot and monitor. */
  readonly storedTwice: number;
  /** Slots due from the return on that were not stored: none when the schedule is back with the first one. */
  readonly missedAfterReturn: number;
  /** Slots due while the fault lasted that were not stored. */
  readonly gaps: number;
  /** Monitors whose coverage, as the API tells it, is not that of their stored slots. */
  readonly wrongCoverage: number;
  readonly passed: boolean;
};

/** Above the 10 s after which Temporal gives up a workflow task that its worker took along. */
const intervalMs = 15_000;

/** Kills parts of the product under monitors that are due every 15 s, one fault a round, and counts what became of their slots. */
export async function runFaultRounds(
  uptime: UptimeStack,
  { faults: rounds, monitors: count, targetPort }: { faults: readonly Fault[]; monitors: number; targetPort: number },
  random: () => number,
  onRound: (result: RoundResult) => void = () => undefined,
): Promise<RoundResult[]> {
  const urls = Array.from({ length: count }, (_, index) => `http://127.0.0.1:${targetPort}/${index}`);
  const monitors = await startMonitors(uptime, { urls, intervalMs, timeoutMs: 2_000 });
  const results: RoundResult[] = [];
  for (const fault of rounds) {
    // Each monitor is checked once before.
    await pause(intervalMs + random() * 5_000);
    const killedMs = Date.now();
    await Promise.all(killed[fault].map((part) => uptime.stack.kill(part)));
    await pause(intervalMs + random() * 5_000);
    await restart(uptime, fault);
    const backMs = Date.now();
    await pause(2 * intervalMs);
    const result = await settled(uptime, fault, monitors, killedMs, backMs);
    onRound(result);
    results.push(result);
  }
  return results;
}

/** Stores first: the API and the worker wait for them, but within a limit. */
async function restart({ stack }: UptimeStack, fault: Fault): Promise<void> {
  const parts = killed[fault];
  const isStore = (part: (typeof parts)[number]) => part !== "api" && part !== "worker";
  await Promise.all(parts.filter(isStore).map((part) => stack.restart(part)));
  await Promise.all(parts.filter((part) => !isStore(part)).map((part) => stack.restart(part)));
}

/** Looks again until the round has passed, since rows out of the spool and Temporal's list come later, or for 90 s. */
async function settled(
  uptime: UptimeStack,
  fault: Fault,
  monitors: readonly Monitor[],
  killedMs: number,
  backMs: number,
): Promise<RoundResult> {
  for (let attempt = 0; ; attempt += 1) {
    const result = await look(uptime, fault, monitors, killedMs, backMs).catch((error: unknown) => {
      if (attempt >= 90) throw error;
      return undefined;
    });
    if (result !== undefined && (result.passed || attempt >= 90)) return result;
    await pause(1_000);
  }
}

async function look(
  uptime: UptimeStack,
  fault: Fault,
  monitors: readonly Monitor[],
  killedMs: number,
  backMs: number,
): Promise<RoundResult> {
  const untilMs = backMs + intervalMs;
  const running = await runningMonitors(uptime);
  const rows = await uptime.questdb.read(
    "SELECT monitor_id, ts::long / 1000 AS due_ms FROM uptime_checks WHERE website_id = $1",
    [uptime.websiteId],
  );
  const stored = new Set(rows.map(({ monitor_id, due_ms }) => `${monitor_id}/${due_ms}`));
  const missing = (fromMs: number, toMs: number) =>
    monitors
      .flatMap((monitor) => slotsOf(monitor, fromMs, toMs).map((dueMs) => `${monitor.id}/${dueMs}`))
      .filter((slot) => !stored.has(slot));
  const gapSlots = missing(killedMs, backMs);
  const result = {
    fault,
    lost: monitors.filter(({ id }) => !running.has(`monitor/${id}`)).length,
    storedTwice: rows.length - stored.size,
    missedAfterReturn: missing(backMs, untilMs).length,
    gaps: gapSlots.length,
    wrongCoverage: await wrongCoverage(uptime, monitors, stored),
  };
  const isDark = killed[fault].some((part) => checkers.has(part));
  const passed =
    result.lost + result.storedTwice + result.missedAfterReturn + result.wrongCoverage === 0 &&
    isDark === result.gaps > 0;
  return { ...result, passed };
}

/** How many monitors' coverage of the last day differs from their stored slots among those that were due. */
async function wrongCoverage(
  uptime: UptimeStack,
  monitors: readonly Monitor[],
  stored: ReadonlySet<string>,
): Promise<number> {
  let wrong = 0;
  for (const monitor of monitors) {
    const status = await postJson<{ coverage: { "24h": number }; lastCheckAt: string }>(uptime, "/uptime/status", {
      monitorId: monitor.id,
    });
    const lastMs = Date.parse(status.lastCheckAt);
    const slots = slotsOf(monitor, monitor.createdAtMs, lastMs + 1);
    const known = slots.filter((dueMs) => stored.has(`${monitor.id}/${dueMs}`)).length;
    // A slot more or less may have come to be known in between.
    const expected = (100 * known) / slots.length;
    if (
      Math.abs(status.coverage["24h"] - expected) > 150 / slots.length ||
      (known < slots.length && status.coverage["24h"] >= 100)
    )
      wrong += 1;
  }
  return wrong;
}

/** When a monitor was due in a time, its end not included. */
function slotsOf({ phaseMs }: Monitor, fromMs: number, untilMs: number): number[] {
  const slots: number[] = [];
  for (let dueMs = slotAfter(fromMs - 1, intervalMs, phaseMs); dueMs < untilMs; dueMs += intervalMs) slots.push(dueMs);
  return slots;
}

async function runningMonitors({ temporal }: UptimeStack): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const query = "LookoutKind = 'monitor' AND ExecutionStatus = 'Running'";
  for await (const { workflowId } of temporal.client.workflow.list({ query })) ids.add(workflowId);
  return ids;
}
