/**
 * `npm run bench:uptime [-- --monitors 500,1000 --seconds 60]`: monitors that are due every 10 s check a server on this machine, of whose
 * targets 5 % hang until the timeout. How many of the checks that were due were done, how late, and for what CPU and memory, as JSON.
 * Beside it, in the same run, the same checks by timers in one Node process that stores nothing.
 *
 * `--temporal dev,server/64,cluster/64` (`npm run bench:temporal`) does this with these Temporals beside each other, since a machine is not
 * equally fast for minutes: its setting TEMPORAL, and its history shards.
 */
import { cpus, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Monitor } from "../../src/uptime/manage/monitor.ts";
import { slotsBetween } from "../../src/uptime/state/slots.ts";
import { round } from "../../test/kit/load/figures.ts";
import { machineCpuSeconds, type Usage, usageOfAll } from "../../test/kit/load/processUsage.ts";
import { ownerOf } from "../../test/kit/stack/owner.ts";
import { startUptimeStack, type UptimeStack } from "../../test/kit/stack/uptimeStack.ts";
import { startMonitors } from "../../test/kit/stores/startMonitors.ts";
import { checkFigures, targetPaths } from "./checkFigures.ts";
import { endScript, messageOf, startScript } from "./forked.ts";
import type { PlainReport } from "./plainLoop.ts";

const { values: given } = parseArgs({
  options: {
    monitors: { type: "string", default: "500,1000" },
    seconds: { type: "string", default: "60" },
    hanging: { type: "string", default: "0.05" },
    temporal: { type: "string", default: "dev" },
  },
});
const sizes = given.monitors.split(",").map(Number);
const seconds = Number(given.seconds);
const hangingShare = Number(given.hanging);
const temporals = given.temporal.split(",").map((each) => {
  const [kind = "dev", shards] = each.split("/");
  return { name: each, env: { TEMPORAL: kind, TEMPORAL_HISTORY_SHARDS: shards } };
});
const intervalMs = 10_000;
const timeoutMs = 6_000;
/** Warm-up: all monitors have been checked a few times, and V8 has compiled the code. */
const warmUpMs = 45_000;
const reach = { donePercentOfDue: 100, p99LatenessMs: 1_000 };
type Running = { readonly temporal: string; readonly uptime: UptimeStack; readonly monitors: Monitor[] };

const parts = ["worker", "temporal", "postgres", "questdb"] as const;

const target = startScript("targetProcess.ts");
try {
  const { port } = await messageOf<{ port: number }>(target);
  const loadBefore = loadavg().map((value) => round(value, 1));
  const baseline = [];
  for (const monitors of sizes) baseline.push(await measurePlain(port, monitors));
  const lookout = [];
  const running: Running[] = [];
  try {
    for (const { name, env } of temporals)
      running.push({ temporal: name, uptime: await startUptimeStack({ log: console.error, env }), monitors: [] });
    for (const size of sizes) {
      for (const { uptime, monitors } of running) {
        const paths = targetPaths(size, hangingShare).slice(monitors.length);
        const given = paths.map((path) => ({ url: `http://127.0.0.1:${port}${path}`, intervalMs, timeoutMs }));
        monitors.push(...(await startMonitors(uptime, await ownerOf(uptime.config), given)));
      }
      await pause(warmUpMs);
      lookout.push(...(await Promise.all(running.map(measureLookout))));
    }
  } finally {
    for (const { uptime } of running) await uptime.stop();
  }
  const settings = { intervalMs, timeoutMs, hangingShare, seconds };
  const machine = { node: process.version, cores: cpus().length, loadBefore };
  console.log(JSON.stringify({ benchmark: "uptime", machine, settings, reach, lookout, baseline }, null, 2));
} finally {
  await endScript(target);
}

async function measurePlain(port: number, monitors: number) {
  process.stderr.write(`baseline: ${monitors} monitors\n`);
  const loop = startScript("plainLoop.ts", [port, monitors, intervalMs, timeoutMs, hangingShare, seconds].map(String));
  try {
    const { due, latenessMs, cpuSeconds, residentBytes } = await messageOf<PlainReport>(loop);
    return {
      monitors,
      ...checkFigures(due, latenessMs, seconds),
      cpuMsPerCheck: round((1_000 * cpuSeconds) / latenessMs.length, 2),
      memoryMb: round(residentBytes / 1e6, 0),
    };
  } finally {
    await endScript(loop);
  }
}

async function measureLookout({ temporal, uptime, monitors }: Running) {
  process.stderr.write(`lookout: ${monitors.length} monitors, Temporal ${temporal}\n`);
  const use = () => new Map(parts.map((part) => [part, usageOfAll(uptime.stack.processIds(part))]));
  const fromMs = Date.now();
  const [before, machineBefore] = [use(), machineCpuSeconds()];
  await pause(seconds * 1_000);
  const untilMs = Date.now();
  const [after, machineAfter] = [use(), machineCpuSeconds()];
  const due = monitors.reduce((sum, each) => sum + slotsBetween(fromMs, untilMs, intervalMs, each.phaseMs), 0);
  const latenessMs = await readLateness(uptime, fromMs, untilMs);
  const figures = checkFigures(due, latenessMs, (untilMs - fromMs) / 1_000);
  const cpuOf = (name: (typeof parts)[number]) =>
    (after.get(name)?.cpuSeconds ?? 0) - (before.get(name)?.cpuSeconds ?? 0);
  const byProcess = (value: (name: (typeof parts)[number], usage: Usage) => number, digits: number) =>
    Object.fromEntries([...after].map(([name, usage]) => [name, round(value(name, usage), digits)]));
  return {
    temporal,
    monitors: monitors.length,
    ...figures,
    met: figures.donePercentOfDue >= reach.donePercentOfDue && figures.latenessMs.p99 < reach.p99LatenessMs,
    cpuMsPerCheck: byProcess((name) => (1_000 * cpuOf(name)) / latenessMs.length, 2),
    coresUsed: byProcess((name) => cpuOf(name) / seconds, 2),
    /** Of all processes of the machine, also those that are not ours. */
    machineCoresUsed: round((machineAfter - machineBefore) / seconds, 2),
    memoryMb: byProcess((_, usage) => usage.residentBytes / 1e6, 0),
  };
}

/** When the last of the slots due in the time can be over. */
async function readLateness({ questdb }: UptimeStack, fromMs: number, untilMs: number): Promise<number[]> {
  await pause(2 * timeoutMs + 5_000);
  const rows = await questdb.read(
    "SELECT started_ms - ts::long / 1000 AS late_ms FROM uptime_checks WHERE ts >= ($1::long)::timestamp AND ts < ($2::long)::timestamp",
    [fromMs * 1_000, untilMs * 1_000],
  );
  return rows.map((row) => Number(row["late_ms"]));
}
