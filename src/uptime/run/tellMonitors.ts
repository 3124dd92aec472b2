import type { CallContext } from "../../gateway/callContext.ts";
import type { Monitor } from "../manage/monitor.ts";
import { notifyMonitor } from "./notifyMonitor.ts";

/** Tellings that are on their way at once. */
const atOnce = 20;

/** Tells the workflows of many monitors. When Temporal is away the rest is left to the reconciliation, so that no request waits for it. */
export async function tellMonitors(monitors: readonly Monitor[], { app, requestId }: CallContext): Promise<void> {
  for (let from = 0; from < monitors.length; from += atOnce) {
    const tellings = monitors.slice(from, from + atOnce).map((monitor) => notifyMonitor(app, monitor));
    const failed = (await Promise.allSettled(tellings)).find((telling) => telling.status === "rejected");
    if (failed === undefined) continue;
    app.log.warn({ requestId, err: failed.reason }, "workflows of monitors will be told later");
    return;
  }
}
