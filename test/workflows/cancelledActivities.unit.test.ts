import type { Context } from "@temporalio/activity";
import { CancelledFailure } from "@temporalio/common";
import { expect, test } from "vitest";
import { cancelledActivities } from "../../workflows/cancelledActivities.ts";

const failure = new Error("The store failed: given_up");

/** What an activity ends with that fails once its signal has aborted. */
async function endOf(details: Partial<Context["cancellationDetails"]>): Promise<unknown> {
  const cancellationSignal = AbortSignal.abort(new CancelledFailure("CANCELLED"));
  const interceptors = cancelledActivities({ cancellationSignal, cancellationDetails: details } as unknown as Context);
  const { execute } = interceptors.inbound ?? {};
  return await execute?.({ args: [], headers: {} }, () => Promise.reject(failure)).catch((error: unknown) => error);
}

test("an activity that fails after it was cancelled ends as cancelled", async () => {
  expect(await endOf({ cancelRequested: true })).toBeInstanceOf(CancelledFailure);
});

test("one that fails since its worker stops, or its time is over, has failed and is tried again", async () => {
  for (const details of [{ workerShutdown: true }, { timedOut: true }, undefined])
    expect(await endOf(details)).toBe(failure);
});
