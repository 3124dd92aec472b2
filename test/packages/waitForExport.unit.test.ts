import { expect, test } from "vitest";
import { waitForExport } from "../../packages/client-js/src/node.ts";
import { createTestLookout } from "../../packages/client-js/src/testing/createTestLookout.ts";

type State = {
  status: "processing" | "completed" | "failed";
  progress?: number;
  downloadUrl?: string;
  reason?: string;
};

/** A client whose export is in these states, one after another, and in the last one from then on. */
function clientOf(...states: readonly State[]) {
  let asked = 0;
  return createTestLookout({
    data: { getExport: ({ exportId }) => ({ exportId, ...states[Math.min(asked++, states.length - 1)] }) },
  });
}

test("waits until an export is done, and says how far it is", async () => {
  const done: State = { status: "completed", progress: 100, downloadUrl: "https://x.example/file" };
  const lookout = clientOf({ status: "processing", progress: 40 }, done);
  const progress: number[] = [];
  const onProgress = (state: { progress: number }) => progress.push(state.progress);
  const { exportId, downloadUrl } = await waitForExport(lookout, "e1", { intervalMs: 1, onProgress });
  expect([exportId, downloadUrl, progress]).toEqual(["e1", "https://x.example/file", [40, 100]]);
});

test("an export that fails rejects with the reason", async () => {
  const lookout = clientOf({ status: "failed", reason: "The disk is full" });
  await expect(waitForExport(lookout, "e1")).rejects.toMatchObject({
    code: "CONFLICT",
    message: "The export is failed: The disk is full",
    isTemporary: false,
  });
});

test("the caller's signal ends the wait", async () => {
  const stop = new AbortController();
  const waiting = waitForExport(clientOf({ status: "processing" }), "e1", {
    signal: stop.signal,
    onProgress: () => setImmediate(() => stop.abort()),
  });
  await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
});

test("a wait has an end, if one is given, and says what to look at", async () => {
  const waiting = waitForExport(clientOf({ status: "processing" }), "e1", { intervalMs: 5, maxWaitMs: 1 });
  await expect(waiting).rejects.toMatchObject({
    code: "TIMEOUT",
    message: expect.stringMatching(/^The export is not done after 1 ms\..*worker of Lookout runs$/),
  });
});
