import { setTimeout as pause } from "node:timers/promises";
import type { Monitor } from "../../../src/uptime/monitor/monitor.ts";
import type { PartName } from "../../../stack/stack.ts";
import type { Owner } from "../stack/owner.ts";
import type { RunningStack } from "../stack/uptimeStack.ts";
import { type FoundSlots, findSlots } from "./findSlots.ts";

/** The process that is killed with kill -9 in a round. */
export const faults = ["worker", "all", "temporal", "questdb", "api"] as const;
export type Fault = (typeof faults)[number];

const killed: Readonly<Record<Fault, readonly PartName[]>> = {
  worker: ["worker"],
  temporal: ["temporal"],
  questdb: ["questdb"],
  api: ["api"],
  all: ["worker", "api", "questdb", "temporal", "postgres"],
};
/** Checks need these processes; the others may be down. */
const checkers: ReadonlySet<PartName> = new Set(["worker", "temporal"]);
/** How long rows may take to come out of a log, and Temporal's list to be complete. */
const giveUpAfterMs = 120_000;

export type RoundResult = FoundSlots & {
  readonly fault: Fault;
  /** How long the fault lasted, from the kill until everything that was killed accepts again. */
  readonly downMs: number;
  /** The problems found, in words; a round without any has passed. */
  readonly problems: readonly string[];
};

export type Rounds = {
  readonly faults: readonly Fault[];
  readonly monitors: readonly Monitor[];
  /** Of all these monitors. */
  readonly intervalMs: number;
  /** Whether it is no problem that a schedule is back after its first slot: that depends on the machine too. */
  readonly mayBeLate?: boolean;
};

/**
 * Kills parts of the product while monitors run, one fault per round, and counts their slots. A round is checked repeatedly
 * until it has passed, or its time is up.
 */
export async function runFaultRounds(
  uptime: RunningStack,
  owner: Owner,
  { faults: rounds, monitors, intervalMs, mayBeLate = false }: Rounds,
  random: () => number,
  onRound: (result: RoundResult) => void = () => undefined,
): Promise<RoundResult[]> {
  const someMs = () => intervalMs + (random() * intervalMs) / 3;
  const results: RoundResult[] = [];
  for (const fault of rounds) {
    // Each monitor is checked before.
    await pause(someMs());
    const killedMs = Date.now();
    await Promise.all(killed[fault].map((part) => uptime.stack.kill(part)));
    await pause(someMs());
    await restart(uptime, fault);
    const backMs = Date.now();
    await pause(2 * intervalMs);
    const round = { monitors, intervalMs, killedMs, backMs };
    const result = await settled(async () => {
      const found = await findSlots(uptime, owner, round);
      return { fault, downMs: backMs - killedMs, ...found, problems: problemsOf(found, fault, mayBeLate) };
    });
    onRound(result);
    results.push(result);
  }
  return results;
}

/** Stores first: the API and the worker wait for them, but within a limit. */
async function restart({ stack }: RunningStack, fault: Fault): Promise<void> {
  const isStore = (part: PartName) => part !== "api" && part !== "worker";
  await Promise.all(killed[fault].filter(isStore).map((part) => stack.restart(part)));
  await Promise.all(killed[fault].filter((part) => !isStore(part)).map((part) => stack.restart(part)));
}

async function settled(find: () => Promise<RoundResult>): Promise<RoundResult> {
  const untilMs = Date.now() + giveUpAfterMs;
  for (;;) {
    const isLast = Date.now() > untilMs;
    const result = await find().catch((error: unknown) => {
      if (isLast) throw error;
      return undefined;
    });
    if (result !== undefined && (isLast || result.problems.length === 0)) return result;
    await pause(1_000);
  }
}

function problemsOf(found: FoundSlots, fault: Fault, mayBeLate: boolean): string[] {
  const { lost, storedTwice, notBack, slotsLate, gaps, wrongGaps } = found;
  const late = Object.entries(slotsLate).filter(([slots]) => slots !== "0" && !mayBeLate);
  const isDark = killed[fault].some((part) => checkers.has(part));
  return [
    ...(lost > 0 ? [`${lost} monitors are lost`] : []),
    ...(storedTwice > 0 ? [`${storedTwice} rows are stored twice`] : []),
    ...(notBack > 0 ? [`${notBack} monitors are not checked again`] : []),
    ...late.map(([slots, count]) => `${count} monitors are back ${slots} slots late`),
    ...(gaps > 0 && !isDark ? [`${gaps} slots were not checked, although what checks was there`] : []),
    ...(wrongGaps > 0 ? [`${wrongGaps} monitors have a wrong history of the gap`] : []),
  ];
}
