/**
 * The baseline, in a process of its own: the same checks by timers in one Node process, which stores nothing. Arguments: port of the target,
 * monitors, interval ms, timeout ms, share that hangs, seconds. Sends the lateness of each check that was due and done in the time.
 */
import { BlockList } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { runCheck } from "../../src/uptime/check/runCheck.ts";
import { slotAfter, slotsBetween } from "../../src/uptime/state/slots.ts";
import { targetPaths } from "./checkFigures.ts";

export type PlainReport = {
  readonly due: number;
  readonly latenessMs: readonly number[];
  readonly cpuSeconds: number;
  readonly residentBytes: number;
};

const [port = 0, monitors = 0, intervalMs = 0, timeoutMs = 0, hangingShare = 0, seconds = 0] = process.argv
  .slice(2)
  .map(Number);
const allowed = new BlockList();
allowed.addSubnet("127.0.0.0", 8);
const signal = new AbortController().signal;
const fromMs = Date.now() + 3_000;
const untilMs = fromMs + seconds * 1_000;
const latenessMs: number[] = [];
const phases = Array.from({ length: monitors }, (_, index) => Math.floor((index / monitors) * intervalMs));

async function monitor(path: string, phaseMs: number): Promise<void> {
  for (let lastMs = 0; ; ) {
    const dueMs = slotAfter(Math.max(Date.now(), lastMs), intervalMs, phaseMs);
    if (dueMs >= untilMs) return;
    await pause(dueMs - Date.now());
    const target = {
      url: `http://127.0.0.1:${port}${path}`,
      method: "GET",
      headers: {},
      expectedStatus: ["200-299"],
      keyword: "",
      timeoutMs,
      cacheBust: false,
      ipVersion: "auto",
      httpVersion: "auto",
      degradedAfterMs: 0,
    } as const;
    const settings = { allowed, maxBodyBytes: 1_000_000, signal, recheckUntilMs: dueMs + intervalMs };
    const { startedMs } = await runCheck(target, settings);
    if (dueMs >= fromMs) latenessMs.push(startedMs - dueMs);
    lastMs = dueMs;
  }
}

const running = targetPaths(monitors, hangingShare).map((path, index) => monitor(path, phases[index] ?? 0));
await pause(fromMs - Date.now());
const before = process.cpuUsage();
await Promise.all(running);
const { user, system } = process.cpuUsage(before);
const report: PlainReport = {
  due: phases.reduce((sum, phaseMs) => sum + slotsBetween(fromMs, untilMs, intervalMs, phaseMs), 0),
  latenessMs,
  cpuSeconds: (user + system) / 1e6,
  residentBytes: process.memoryUsage.rss(),
};
process.send?.(report, () => process.disconnect());
