import type { CheckNowReply } from "../../gen/lookout/services.ts";
import type { CheckNowRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { findOpenMonitor } from "../monitor/findMonitor.ts";
import { targetOf } from "../run/monitorSettings.ts";
import { type CheckCall, checkOnce } from "./checkOnce.ts";

/** POST /uptime/monitors/check: checks a monitor once, also a paused one. Rejects with NOT_FOUND and RATE_LIMIT_EXCEEDED. */
export async function checkNow({ id }: CheckNowRequest, call: CheckCall): Promise<CheckNowReply> {
  const monitor = await findOpenMonitor(id, call);
  return { result: await checkOnce(targetOf(monitor), monitor.organizationId, call) };
}
