import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MonitorSettings } from "../../../src/uptime/run/monitorSettings.ts";
import { type WatchReport, watchMs } from "../../../src/uptime/run/watchedMonitor.ts";
import { watchMonitor } from "../../../src/uptime/run/watchMonitor.ts";
import type { DueSlot } from "../../../src/uptime/state/slots.ts";
import type { SlotResult } from "../../../src/uptime/state/state.ts";

const minuteMs = 60_000;
const startMs = Date.parse("2026-11-24T12:00:30Z");
const firstMs = startMs + 30_000;
const settings = {
  websiteId: "site",
  revision: 3,
  status: "active",
  intervalMs: minuteMs,
  phaseMs: 0,
  timeoutMs: 10_000,
  dueFromMs: startMs - 3_600_000,
  checksHere: true,
  probes: [],
  shownUrl: "https://example.com/",
  thresholds: { openAfter: 2, resolveAfter: 1, certificateNoticeDays: 14 },
} as const satisfies MonitorSettings;
const watched = {
  monitorId: "m",
  settings,
  state: { status: "up", openedMs: [], noticedExpiriesMs: [] },
  lastDueMs: firstMs - minuteMs,
} as const;

beforeEach(() => void vi.useFakeTimers({ now: startMs }));
afterEach(() => void vi.useRealTimers());

/** A watch whose checks have these results by their number, else up. */
function watchWith(results: Readonly<Record<number, Partial<SlotResult> | "changed">>, lateMs = 0) {
  const slots: DueSlot[] = [];
  const reports: WatchReport[] = [];
  const skipped: number[] = [];
  const tools = {
    async check(slot: DueSlot) {
      const result = results[slots.length] ?? {};
      if (result === "changed") return undefined;
      slots.push(slot);
      return { dueMs: slot.dueMs, status: "up", failedRegions: [], inMaintenance: false, ...result } as const;
    },
    async sleepUntil(timeMs: number) {
      vi.setSystemTime(Math.max(Date.now(), timeMs) + lateMs);
    },
    report: (report: WatchReport) => void reports.push(report),
    lost: (_reason: string, count: number) => void skipped.push(count),
  };
  return { tools, dueMs: () => slots.map(({ dueMs }) => dueMs), reports, skipped };
}

describe("3: a watch", () => {
  it("checks each slot once and ends with the slot that changes the status", async () => {
    const { tools, dueMs, reports } = watchWith({ 2: { status: "down", error: "no answer" } });
    const end = await watchMonitor(tools, watched);
    expect(dueMs()).toEqual([firstMs, firstMs + minuteMs, firstMs + 2 * minuteMs]);
    expect(end).toMatchObject({ lastDueMs: firstMs + 2 * minuteMs, slot: { status: "down", error: "no answer" } });
    expect(reports.at(-1)).toEqual({
      lastSlot: "2026-11-24T12:02:00.000Z",
      status: "up",
      nextSlot: "2026-11-24T12:03:00.000Z",
    });
  });

  it("ends with the slot of which a certificate must be notified", async () => {
    const sslExpiryMs = startMs + 86_400_000;
    const { tools } = watchWith({ 1: { sslExpiryMs } });
    expect(await watchMonitor(tools, watched)).toMatchObject({ lastDueMs: firstMs + minuteMs, slot: { sslExpiryMs } });
    vi.setSystemTime(startMs);
    const known = { ...watched, state: { ...watched.state, noticedExpiriesMs: [sslExpiryMs] } };
    const again = watchWith({ 1: { sslExpiryMs }, 3: "changed" });
    expect(await watchMonitor(again.tools, known)).toEqual({ lastDueMs: firstMs + 2 * minuteMs });
  });

  it("leaves the slot to the workflow when the settings have changed", async () => {
    const { tools } = watchWith({ 2: "changed" });
    expect(await watchMonitor(tools, watched)).toEqual({ lastDueMs: firstMs + minuteMs });
  });

  it("ends when its time is up", async () => {
    const { tools, dueMs } = watchWith({});
    expect(await watchMonitor(tools, watched)).toEqual({ lastDueMs: firstMs + watchMs - minuteMs });
    expect(dueMs()).toHaveLength(watchMs / minuteMs);
  });

  it("checks only the last of the slots that came due meanwhile, and counts the others as skipped", async () => {
    const { tools, dueMs, skipped } = watchWith({ 1: "changed" }, 3 * minuteMs);
    await watchMonitor(tools, watched);
    expect(dueMs()).toEqual([firstMs + 3 * minuteMs]);
    expect(skipped[0]).toBe(3);
  });
});
