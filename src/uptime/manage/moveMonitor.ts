import type { PauseMonitorReply, ResumeMonitorReply } from "../../gen/lookout/services.ts";
import type { PauseMonitorRequest, ResumeMonitorRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { findOpenMonitor } from "../monitor/findMonitor.ts";
import { monitorMessage, type OpenMonitor } from "../monitor/monitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { changeMonitor } from "./changeMonitor.ts";

/**
 * POST /uptime/monitors/pause: no checks until the monitor is resumed; pausing a paused one changes nothing. Rejects
 * with NOT_FOUND and CONFLICT (its website is deleted).
 */
export async function pauseMonitor({ id }: PauseMonitorRequest, call: UptimeCall): Promise<PauseMonitorReply> {
  return { monitor: monitorMessage(await move(id, "paused", call), call) };
}

/**
 * POST /uptime/monitors/resume: checks continue at the next slot. Rejects with NOT_FOUND and CONFLICT (its website is
 * deleted).
 */
export async function resumeMonitor({ id }: ResumeMonitorRequest, call: UptimeCall): Promise<ResumeMonitorReply> {
  return { monitor: monitorMessage(await move(id, "active", call), call) };
}

async function move(id: string, status: "paused" | "active", call: UptimeCall): Promise<OpenMonitor> {
  const before = await findOpenMonitor(id, call);
  if (before.status === status) return before;
  return await changeMonitor(call, before, status === "paused" ? "monitor.pause" : "monitor.resume", () => ({
    status,
  }));
}
