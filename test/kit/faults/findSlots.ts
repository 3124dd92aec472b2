import type { Monitor } from "../../../src/uptime/monitor/monitor.ts";
import { slotAfter } from "../../../src/uptime/state/slots.ts";
import { at } from "../load/figures.ts";
import { type Owner, postJson } from "../stack/owner.ts";
import type { RunningStack } from "../stack/uptimeStack.ts";

/** The killed processes: killed at `killedMs`, accepting again since `backMs`, Unix ms. */
export type FaultRound = {
  readonly monitors: readonly Monitor[];
  readonly intervalMs: number;
  readonly killedMs: number;
  readonly backMs: number;
};

/** The slots of all monitors in a round. */
export type FoundSlots = {
  /** Monitors without a running workflow. */
  readonly lost: number;
  /** Rows beyond one for each slot and monitor. */
  readonly storedTwice: number;
  /** Monitors of which no slot that came due after the return is stored. */
  readonly notBack: number;
  /** Monitors by how many slots after the return they missed before the first one that was stored: "0" is back within one interval. */
  readonly slotsLate: Readonly<Record<string, number>>;
  /** How late the first of these slots was checked. */
  readonly latenessMs: { readonly p50: number; readonly max: number };
  /** Slots due while the fault lasted that were not stored. */
  readonly gaps: number;
  /** Monitors whose history in the API differs from their rows in the gap. */
  readonly wrongGaps: number;
};

type Stored = ReadonlyMap<string, { readonly startedMs: number }>;

/** Reads the stored slots and the API's answers about them. */
export async function findSlots(uptime: RunningStack, owner: Owner, round: FaultRound): Promise<FoundSlots> {
  const { monitors, killedMs, backMs } = round;
  const running = await runningMonitors(uptime);
  const rows = await uptime.questdb.read(
    "SELECT monitor_id, ts::long / 1000 AS due_ms, started_ms FROM uptime_checks WHERE website_id = $1",
    [owner.websiteId],
  );
  const stored: Stored = new Map(
    rows.map((row) => [`${row["monitor_id"]}/${row["due_ms"]}`, { startedMs: Number(row["started_ms"]) }]),
  );
  const firsts = monitors.flatMap((monitor) => firstSlot(monitor, stored, round) ?? []);
  const late = Map.groupBy(firsts, ({ slotsLate }) => slotsLate);
  const latenessMs = firsts.map((first) => first.latenessMs).sort((one, other) => one - other);
  const gaps = monitors.flatMap((monitor) =>
    slotsOf(monitor, round.intervalMs, killedMs, backMs).filter((dueMs) => !stored.has(`${monitor.id}/${dueMs}`)),
  );
  return {
    lost: monitors.filter(({ workflowId }) => !running.has(workflowId)).length,
    storedTwice: rows.length - stored.size,
    notBack: monitors.length - firsts.length,
    slotsLate: Object.fromEntries([...late].map(([slots, those]) => [slots, those.length])),
    latenessMs: { p50: at(latenessMs, 0.5), max: at(latenessMs, 1) },
    gaps: gaps.length,
    wrongGaps: await wrongGaps(owner, stored, round),
  };
}

/** The first slot of a monitor after the return that is stored, and how many slots passed before it. */
function firstSlot(
  { id, phaseMs }: Monitor,
  stored: Stored,
  { backMs, intervalMs }: FaultRound,
): { readonly slotsLate: number; readonly latenessMs: number } | undefined {
  const firstMs = slotAfter(backMs - 1, intervalMs, phaseMs);
  for (let slotsLate = 0; firstMs + slotsLate * intervalMs < Date.now(); slotsLate += 1) {
    const dueMs = firstMs + slotsLate * intervalMs;
    const check = stored.get(`${id}/${dueMs}`);
    if (check !== undefined) return { slotsLate, latenessMs: check.startedMs - dueMs };
  }
  return undefined;
}

/** The number of monitors whose history in the gap differs from their rows: known slots of the due ones, all successful. */
async function wrongGaps(
  owner: Owner,
  stored: Stored,
  { monitors, intervalMs, killedMs, backMs }: FaultRound,
): Promise<number> {
  let wrong = 0;
  const range = { dateFrom: new Date(killedMs).toISOString(), dateTo: new Date(backMs).toISOString() };
  for (const monitor of monitors) {
    const request = { monitorId: monitor.id, ...range, granularity: "5m" };
    const { summary } = await postJson<{ summary: GapSummary }>(owner, "/uptime/history", request);
    const due = slotsOf(monitor, intervalMs, killedMs, backMs);
    const known = due.filter((dueMs) => stored.has(`${monitor.id}/${dueMs}`)).length;
    const coverage = due.length === 0 ? 0 : Math.floor((100_000 * known) / due.length) / 1_000;
    const isRight =
      summary.totalChecks === known && summary.coveragePercent === coverage && summary.totalFailures === 0;
    if (!isRight || summary.uptimePercent !== (known === 0 ? 0 : 100)) wrong += 1;
  }
  return wrong;
}

type GapSummary = {
  readonly totalChecks: number;
  readonly totalFailures: number;
  readonly uptimePercent: number;
  readonly coveragePercent: number;
};

/** The due times of a monitor in a range, its end excluded. */
function slotsOf({ phaseMs }: Monitor, intervalMs: number, fromMs: number, untilMs: number): number[] {
  const slots: number[] = [];
  for (let dueMs = slotAfter(fromMs - 1, intervalMs, phaseMs); dueMs < untilMs; dueMs += intervalMs) slots.push(dueMs);
  return slots;
}

async function runningMonitors({ temporal }: RunningStack): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const query = "LookoutKind = 'monitor' AND ExecutionStatus = 'Running'";
  for await (const { workflowId } of temporal.client.workflow.list({ query })) ids.add(workflowId);
  return ids;
}
