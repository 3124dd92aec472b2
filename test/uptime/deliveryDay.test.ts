import { fileURLToPath } from "node:url";
import { TestWorkflowEnvironment } from "@temporalio/testing";
import { DefaultLogger, Runtime, Worker } from "@temporalio/worker";
import { afterAll, beforeAll, expect, it } from "vitest";
import { retry } from "../../src/retry.ts";
import type { AttemptOutcome } from "../../src/uptime/notices/attemptOutcome.ts";
import { searchAttributes } from "../../workflows/searchAttributes.ts";
import { getTimeSkippingServer } from "../support/timeSkippingServer.ts";

const hourMs = 3_600_000;

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger("ERROR") });
  const path = await getTimeSkippingServer();
  // The library gives a server 5 seconds to start, which a busy machine may not keep.
  env = await retry(
    () => TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: "existing-path", path } } }),
    {
      leastWaitMs: 1_000,
      mostWaitMs: 1_000,
      patienceMs: 120_000,
      stop: new AbortController().signal,
      onRetry: () => undefined,
    },
  );
  await env.connection.operatorService.addSearchAttributes({
    namespace: "default",
    searchAttributes: Object.fromEntries(searchAttributes.map(({ name }) => [name, 2])),
  });
}, 300_000);
afterAll(async () => await env?.teardown());

/** Runs the workflow of a delivery whose attempts end as told, the last answer for good. */
async function deliver(id: string, ...outcomes: AttemptOutcome[]) {
  const recorded: { readonly kind: string; readonly isLast: boolean }[] = [];
  let attempts = 0;
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: id,
    workflowsPath: fileURLToPath(new URL("../../workflows/registry.ts", import.meta.url)),
    activities: {
      attemptDelivery: async () => ({
        outcome: outcomes[attempts] ?? outcomes.at(-1),
        retryMs: Math.min(5_000 * 2 ** attempts++, hourMs),
      }),
      recordAttempt: async (_id: string, { kind }: AttemptOutcome, isLast: boolean) => {
        recorded.push({ kind, isLast });
      },
    },
  });
  const result = await worker.runUntil(() =>
    env.client.workflow.execute("delivery", { workflowId: `delivery/${id}`, taskQueue: id, args: [id] }),
  );
  return { result, recorded };
}

const failed: AttemptOutcome = { kind: "failed", error: "the hook answered 500" };

it("notifications: a receiver that never takes the message is given up after a day", async () => {
  const { result, recorded } = await deliver("never", failed);
  expect(result).toBe("failed: the hook answered 500");
  // 5 s, 10 s, ... 42 min, 1 h each: ten waits to 85 min, and 22 hours after them.
  expect(recorded).toHaveLength(33);
  expect(recorded.map(({ isLast }) => isLast)).toEqual([...Array.from({ length: 32 }, () => false), true]);
});

it("notifications: a receiver that is away for hours is told when it is back", async () => {
  const outage = Array.from({ length: 20 }, () => failed);
  const { result, recorded } = await deliver("hours", ...outage, { kind: "delivered" });
  expect(result).toBe("delivered");
  expect(recorded).toHaveLength(21);
  expect(recorded.some(({ isLast }) => isLast)).toBe(false);
});
