import { WorkflowFailedError } from "@temporalio/client";
import { ApplicationFailure } from "@temporalio/common";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AttemptOutcome } from "../../../src/uptime/notifications/channels/kinds/channelKind.ts";
import { preloadModules, workflowsPath } from "../../../workflows/bundleOptions.ts";
import { startTimeSkipping } from "../../kit/servers/timeSkippingEnvironment.ts";

const hourMs = 3_600_000;

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTimeSkipping();
}, 600_000);
afterAll(async () => await env?.teardown());

/** Runs the workflow of a delivery whose attempts end as given; the last answer repeats. */
async function deliver(id: string, ...outcomes: AttemptOutcome[]) {
  const recorded: { readonly kind: string; readonly isLast: boolean }[] = [];
  let attempts = 0;
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: id,
    workflowsPath,
    bundlerOptions: { preloadModules },
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
  const result: string = await worker
    .runUntil(() =>
      env.client.workflow.execute("delivery", { workflowId: `delivery/${id}`, taskQueue: id, args: [id] }),
    )
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure)) throw error;
      return `${error.cause.type}: ${error.cause.message}`;
    });
  return { result, recorded };
}

const failed: AttemptOutcome = { kind: "failed", error: "the hook answered 500" };

it("notifications: deliveries to a receiver that never accepts them are given up after a day", async () => {
  const { result, recorded } = await deliver("never", failed);
  expect(result).toBe("DeliveryFailed: the hook answered 500");
  // 5 s, 10 s, ... 42 min, 1 h each: ten waits to 85 min, and 22 hours after them.
  expect(recorded).toHaveLength(33);
  expect(recorded.map(({ isLast }) => isLast)).toEqual([...Array.from({ length: 32 }, () => false), true]);
});

it("notifications: a receiver that is down for hours is notified when it is back", async () => {
  const outage = Array.from({ length: 20 }, () => failed);
  const { result, recorded } = await deliver("hours", ...outage, { kind: "delivered" });
  expect(result).toBe("delivered");
  expect(recorded).toHaveLength(21);
  expect(recorded.some(({ isLast }) => isLast)).toBe(false);
});
