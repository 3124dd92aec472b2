import { Runtime } from "@temporalio/worker";
import { type RunningService, runService } from "../src/main/runService.ts";
import { temporalLogger } from "./temporalLogger.ts";

/** How long a stop may take after the grace period for running activities. */
export const forceAfterGraceMs = 5_000;

const forwardedLogs = { filter: { core: "WARN", other: "WARN" }, forward: {} } as const;

/** Runs a process with workers of Temporal. Without Temporal its SDK may never finish its part of a stop. */
export async function runProcess(
  name: "worker" | "probe",
  run: (service: RunningService) => Promise<void>,
): Promise<never> {
  return await runService(
    name,
    {
      usesDataDir: name === "worker",
      prepare: (log) => {
        const logger = temporalLogger(log);
        Runtime.install({ logger, shutdownSignals: [], telemetryOptions: { logging: forwardedLogs } });
      },
      maxStopMs: ({ server }) => server.shutdownTimeoutMs + 2 * forceAfterGraceMs,
    },
    run,
  );
}
