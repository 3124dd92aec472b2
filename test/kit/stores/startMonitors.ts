import type { Monitor } from "../../../src/uptime/monitor/monitor.ts";
import { notifyMonitor } from "../../../src/uptime/run/notifyMonitor.ts";
import type { Owner } from "../stack/owner.ts";
import type { RunningStack } from "../stack/uptimeStack.ts";
import { addMonitor, type GivenMonitor } from "./addMonitor.ts";

/** Requests in flight. */
const atOnce = 8;

/** Makes monitors of the owner's website and starts their workflows. */
export async function startMonitors(
  uptime: RunningStack,
  owner: Owner,
  wanted: readonly GivenMonitor[],
): Promise<Monitor[]> {
  const started: Monitor[] = [];
  const waiting = wanted.values();
  const startNext = async () => {
    for (const given of waiting) {
      const monitor = await addMonitor(uptime.postgres, owner, given);
      // If Temporal is too busy, the reconciliation starts the workflow within a minute.
      await notifyMonitor(uptime, monitor).catch(() => undefined);
      started.push(monitor);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, startNext));
  return started;
}
