import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Client, Connection } from "@temporalio/client";
import { msToTs } from "@temporalio/common/lib/time.js";
import { retry } from "../../../src/concurrency/retry.ts";
import { type ForkedProcess, forkProcess } from "./forkedProcess.ts";
import type { RunningLookout } from "./runningLookout.ts";

/** A worker as the product runs it, in a process of its own. */
export type WorkerProcess = ForkedProcess & {
  /** Resolves when it polls, and rejects when it ends before. */
  readonly isReady: Promise<void>;
};

/** A separate namespace on the running Temporal, so that its Schedules and runs are those of one test file. */
export async function makeNamespace(
  address: string,
): Promise<{ client: Client; namespace: string; remove(): Promise<void> }> {
  const connection = await Connection.connect({ address });
  const namespace = `test-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs("1 day"),
  });
  const client = new Client({ connection, namespace });
  await retry(() => pauseReconciliation(client), {
    minWaitMs: 100,
    maxWaitMs: 1_000,
    giveUpAfterMs: 30_000,
    stop: new AbortController().signal,
    onRetry: () => undefined,
  });
  return {
    client,
    namespace,
    async remove() {
      await connection.operatorService.deleteNamespace({ namespace });
      await connection.close();
    },
  };
}

/** A second Temporal on the same PostgreSQL would run the monitors of other tests a second time. A worker leaves a paused Schedule paused. */
async function pauseReconciliation(client: Client): Promise<void> {
  await client.schedule.create({
    scheduleId: "monitor-reconciliation",
    spec: { intervals: [{ every: "1 minute" }] },
    action: { type: "startWorkflow", workflowType: "monitorReconciliation", taskQueue: "lookout", args: [] },
    state: { paused: true },
  });
}

/** Starts what `npm run worker` starts, on a namespace. */
export function startWorker(lookout: RunningLookout, namespace: string): WorkerProcess {
  const { child, output } = forkProcess("workflows/worker.ts", {
    env: {
      ...lookout.storeEnv,
      DATA_DIR: lookout.dataDir,
      DATABASE_URL: lookout.databaseUrl,
      QUESTDB_HTTP: lookout.questdbHttp,
      QUESTDB_PG: lookout.questdbPg,
      TEMPORAL_ADDRESS: lookout.temporalAddress,
      TEMPORAL_NAMESPACE: namespace,
      LOG_LEVEL: "info",
      SHUTDOWN_TIMEOUT_MS: "5000",
    },
  });
  const isReady = new Promise<void>((resolve, reject) => {
    child.once("message", (message) => {
      if (typeof message === "object" && "ready" in message) resolve();
    });
    child.once("exit", (code) => reject(new Error(`The worker ended with ${code}:\n${output()}`)));
  });
  return { child, output, isReady };
}

/** Sends a signal and resolves to the exit code, null after a kill. */
export async function stopWorker(
  { child }: Pick<WorkerProcess, "child">,
  signal: NodeJS.Signals,
): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, "exit");
  child.kill(signal);
  const [code] = await ended;
  return typeof code === "number" ? code : null;
}
