import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Monitor } from "../../src/uptime/monitor/monitor.ts";
import { slotsBetween } from "../../src/uptime/state/slots.ts";
import { absolute, type Bench, type BenchRun, type Figure, ratio } from "../../test/kit/bench/bench.ts";
import { round } from "../../test/kit/load/figures.ts";
import { endProcess, forkPinned, messageOf } from "../../test/kit/load/pinnedProcess.ts";
import { machineCpuSeconds, type Usage, usageOfAll } from "../../test/kit/load/processUsage.ts";
import type { BenchStack, Stacks } from "../../test/kit/stack/benchStacks.ts";
import { startMonitors } from "../../test/kit/stores/startMonitors.ts";
import { checkFigures, targetPaths } from "./checkFigures.ts";
import type { PlainReport } from "./plainLoop.ts";
import { readChecks, wrongChecks } from "./storedChecks.ts";

/** The values of its command line unless given. */
export type UptimeDefaults = { readonly name: string; readonly temporal: string; readonly monitors: string };

type Plan = {
  readonly isSmoke: boolean;
  readonly sizes: readonly number[];
  readonly seconds: number;
  readonly hangingShare: number;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly warmUpMs: number;
};
type Running = {
  readonly temporal: string;
  readonly stack: BenchStack;
  readonly monitors: Monitor[];
  readonly hangingIds: Set<string>;
};

const reach = { donePercentOfDue: 100, p99LatenessMs: 1_000 };
const parts = ["worker", "temporal", "postgres", "questdb"] as const;

export function uptimeBench({ name, ...defaults }: UptimeDefaults): Bench {
  return { name, measure: (run) => measure(run, defaults) };
}

async function measure({ isSmoke, args, stacks }: BenchRun, defaults: Omit<UptimeDefaults, "name">) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      monitors: { type: "string", default: defaults.monitors },
      seconds: { type: "string", default: "60" },
      hanging: { type: "string", default: "0.05" },
      temporal: { type: "string", default: defaults.temporal },
    },
  });
  const hangingShare = Number(values.hanging);
  const plan: Plan = isSmoke
    ? { isSmoke, sizes: [20], seconds: 6, hangingShare, intervalMs: 5_000, timeoutMs: 2_000, warmUpMs: 1_000 }
    : {
        isSmoke,
        sizes: values.monitors.split(",").map(Number),
        seconds: Number(values.seconds),
        hangingShare,
        intervalMs: 10_000,
        timeoutMs: 6_000,
        // All monitors have been checked a few times, and V8 has compiled the code.
        warmUpMs: 45_000,
      };
  const { intervalMs, timeoutMs } = plan;
  const temporals = values.temporal.split(",");
  const target = forkPinned(fileURLToPath(new URL("targetProcess.ts", import.meta.url)), {});
  try {
    const { port } = await messageOf<{ port: number }>(target);
    const baseline: PlainFigures[] = [];
    for (const monitors of plan.sizes) baseline.push(await measurePlain(plan, port, monitors));
    const lookout = await withStacks(stacks, temporals, [], async (running) => {
      const measured: LookoutFigures[] = [];
      for (const size of plan.sizes) {
        for (const { stack, monitors, hangingIds } of running) {
          const paths = targetPaths(size, hangingShare).slice(monitors.length);
          for (const hangs of [true, false]) {
            const given = paths
              .filter((path) => path.startsWith("/hang/") === hangs)
              .map((path) => ({ url: `http://127.0.0.1:${port}${path}`, intervalMs, timeoutMs }));
            const started = await startMonitors(stack, stack.owner, given);
            monitors.push(...started);
            if (hangs) for (const { id } of started) hangingIds.add(id);
          }
        }
        await pause(plan.warmUpMs);
        measured.push(...(await Promise.all(running.map((each) => measureLookout(plan, each)))));
      }
      return measured;
    });
    const figures = Object.assign({}, ...lookout.map((each) => figuresOf(each, baseline)));
    const problems = lookout.flatMap(({ temporal, problems }) => problems.map((text) => `${temporal}: ${text}`));
    return { settings: { ...plan, temporals }, figures, problems, details: { lookout, baseline } };
  } finally {
    await endProcess(target);
  }
}

/** A stack for each Temporal, all beside each other. */
async function withStacks<T>(
  stacks: Stacks,
  [temporal, ...others]: readonly string[],
  running: readonly Running[],
  work: (running: readonly Running[]) => Promise<T>,
): Promise<T> {
  if (temporal === undefined) return await work(running);
  const [kind = "dev", shards] = temporal.split("/");
  const env = { TEMPORAL: kind, ...(shards === undefined ? {} : { TEMPORAL_HISTORY_SHARDS: shards }) };
  return await stacks.use(kind === "dev" ? {} : { env }, (stack) =>
    withStacks(stacks, others, [...running, { temporal, stack, monitors: [], hangingIds: new Set<string>() }], work),
  );
}

function figuresOf(found: LookoutFigures, baseline: readonly PlainFigures[]): Record<string, Figure> {
  const { temporal, monitors, cpuMsPerCheck, latenessMs, donePercentOfDue } = found;
  const plain = baseline.find((each) => each.monitors === monitors);
  const cpuMs = Object.values(cpuMsPerCheck).reduce((sum, each) => sum + each, 0);
  const of = `${temporal}, ${monitors} monitors`;
  return {
    [`${of}: CPU / plain timers`]: ratio(round(cpuMs / (plain?.cpuMsPerCheck ?? Number.NaN), 1), "lower"),
    [`${of}: done of due`]: absolute(donePercentOfDue, "%", "higher", reach.donePercentOfDue),
    [`${of}: p99 of lateness`]: absolute(latenessMs.p99, "ms", "lower", reach.p99LatenessMs),
    [`${of}: CPU a check`]: absolute(round(cpuMs, 2), "ms", "lower"),
  };
}

type PlainFigures = Awaited<ReturnType<typeof measurePlain>>;
type LookoutFigures = Awaited<ReturnType<typeof measureLookout>>;

async function measurePlain(plan: Plan, port: number, monitors: number) {
  const { intervalMs, timeoutMs, hangingShare, seconds } = plan;
  process.stderr.write(`baseline: ${monitors} monitors\n`);
  const loop = forkPinned(fileURLToPath(new URL("plainLoop.ts", import.meta.url)), {
    args: [port, monitors, intervalMs, timeoutMs, hangingShare, seconds].map(String),
  });
  try {
    const { due, latenessMs, cpuSeconds, residentBytes } = await messageOf<PlainReport>(loop);
    return {
      monitors,
      ...checkFigures(due, latenessMs, seconds),
      cpuMsPerCheck: round((1_000 * cpuSeconds) / latenessMs.length, 2),
      memoryMb: round(residentBytes / 1e6, 0),
    };
  } finally {
    await endProcess(loop);
  }
}

async function measureLookout(
  { isSmoke, seconds, intervalMs, timeoutMs }: Plan,
  { temporal, stack: bench, monitors, hangingIds }: Running,
) {
  process.stderr.write(`lookout: ${monitors.length} monitors, Temporal ${temporal}\n`);
  const use = () => new Map(parts.map((part) => [part, usageOfAll(bench.stack.processIds(part))]));
  const fromMs = Date.now();
  const [before, machineBefore] = [use(), machineCpuSeconds()];
  await pause(seconds * 1_000);
  // On a busy machine slots may be left out, so a smoke run goes on until each monitor has been checked.
  if (isSmoke) await untilChecked(bench, monitors, fromMs);
  const untilMs = Date.now();
  const [after, machineAfter] = [use(), machineCpuSeconds()];
  const due = monitors.reduce((sum, each) => sum + slotsBetween(fromMs, untilMs, intervalMs, each.phaseMs), 0);
  // When the last of the slots due in the time can be over.
  await pause(2 * timeoutMs + 5_000);
  const checks = await readChecks(bench.questdb, bench.owner.websiteId, fromMs, untilMs);
  const latenessMs = checks.map(({ lateMs }) => lateMs);
  const figures = checkFigures(due, latenessMs, (untilMs - fromMs) / 1_000);
  const cpuOf = (name: (typeof parts)[number]) =>
    (after.get(name)?.cpuSeconds ?? 0) - (before.get(name)?.cpuSeconds ?? 0);
  const byProcess = (value: (name: (typeof parts)[number], usage: Usage) => number, digits: number) =>
    Object.fromEntries([...after].map(([name, usage]) => [name, round(value(name, usage), digits)]));
  return {
    temporal,
    monitors: monitors.length,
    ...figures,
    problems: wrongChecks(checks, { monitorIds: monitors.map(({ id }) => id), hangingIds, due }),
    cpuMsPerCheck: byProcess((name) => (1_000 * cpuOf(name)) / latenessMs.length, 2),
    coresUsed: byProcess((name) => cpuOf(name) / seconds, 2),
    /** Of all processes of the machine, also those that are not ours. */
    machineCoresUsed: round((machineAfter - machineBefore) / seconds, 2),
    memoryMb: byProcess((_, usage) => usage.residentBytes / 1e6, 0),
  };
}

/** Or for a minute at most. */
async function untilChecked(
  { questdb, owner }: BenchStack,
  monitors: readonly Monitor[],
  fromMs: number,
): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const checks = await readChecks(questdb, owner.websiteId, fromMs, Date.now());
    if (new Set(checks.map(({ monitorId }) => monitorId)).size >= monitors.length) return;
    await pause(500);
  }
}
