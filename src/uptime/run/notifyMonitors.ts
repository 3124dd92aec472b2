import type { Monitor } from "../manage/monitor.ts";
import type { NotifyCall } from "../uptimeCall.ts";
import { notifyMonitor } from "./notifyMonitor.ts";

/** The most concurrent notifications. */
const atOnce = 20;

/**
 * Notifies the workflows of many monitors. While Temporal is unavailable the rest is left to the reconciliation, so that
 * requests do not wait for it.
 */
export async function notifyMonitors(monitors: readonly Monitor[], { app, requestId }: NotifyCall): Promise<void> {
  for (let from = 0; from < monitors.length; from += atOnce) {
    const tellings = monitors.slice(from, from + atOnce).map((monitor) => notifyMonitor(app, monitor));
    const failed = (await Promise.allSettled(tellings)).find((telling) => telling.status === "rejected");
    if (failed === undefined) continue;
    app.log.warn({ requestId, err: failed.reason }, "workflows of monitors will be notified later");
    return;
  }
}
