import {
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from "@temporalio/workflow";
import { lookoutKind, lookoutWebsite } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import { ignoredSignal, readPayload, wholeNumber } from "../payload.ts";
import { type ErasedRows, eraseExpired, isPosition, type RetentionPosition } from "./eraseExpired.ts";
import type { RetentionActivities } from "./retentionActivities.ts";

/** Unix ms, before the year 2200. */
const time = wholeNumber(0, 7_258_118_400_000);

/** Notifies that shorter periods of the website take effect at a time (Unix ms), or that they have changed. */
export const retentionPending = defineSignal<[number]>("retentionPending");

/** `position` is where a long run continues; only the workflow itself sets it. */
export type RetentionChangeInput = { readonly websiteId: string; readonly position?: RetentionPosition };

const { applyRetentionChange } = aliveActivities<RetentionActivities>({
  startToCloseTimeout: "1 minute",
});

/**
 * Waits until shorter periods of a website take effect and erases what is older (specification part 8); workflow id
 * `retention-change/<website id>`. The pending periods are in PostgreSQL. A signal only wakes the workflow, so lost,
 * late or repeated signals do no harm. Ends when nothing is pending; resolves to the rows that it erased last, by kind
 * of data.
 */
export async function retentionChange({ websiteId, position }: RetentionChangeInput): Promise<ErasedRows> {
  upsertSearchAttributes([
    { key: lookoutKind, value: "retention-change" },
    { key: lookoutWebsite, value: websiteId },
  ]);
  let signals = 0;
  let effectiveMs = 0;
  let ignored: string | undefined;
  const onPending = (...sent: readonly unknown[]) => {
    const { value, problem } = readPayload(sent, time);
    if (problem === undefined) effectiveMs = value;
    else ignored = ignoredSignal("retentionPending", problem, Date.now());
    // PostgreSQL has the pending periods, whatever the signal carries.
    signals += 1;
  };
  setHandler(retentionPending, onPending, {
    description:
      "Makes the workflow read in PostgreSQL which shorter periods are pending. The payload is when they take effect, " +
      "in Unix ms; the present makes it read at once. Sending it at any time is safe. To cancel them use the API.",
  });
  let erased: ErasedRows = {};
  let next = position;
  for (;;) {
    if (next !== undefined) {
      const result = await eraseExpired(next);
      if (isPosition(result)) return await continueAsNew<typeof retentionChange>({ websiteId, position: result });
      erased = result;
      next = undefined;
    }
    const seen = signals;
    const waitMs = effectiveMs - Date.now();
    if (waitMs > 0) {
      const state = `### Retention: shorter periods take effect at ${new Date(effectiveMs).toISOString()}`;
      setCurrentDetails(ignored === undefined ? state : `${state}\n\n${ignored}`);
      await condition(() => signals > seen, waitMs, { summary: "until shorter periods take effect" });
      if (signals > seen) continue;
    }
    const nowMs = Date.now();
    const step = await applyRetentionChange(websiteId, nowMs);
    if (step.kind === "waiting") effectiveMs = step.effectiveMs;
    if (step.kind === "erase") next = { run: { id: step.runId, websiteId, nowMs }, days: 0 };
    if (step.kind === "none" && signals === seen) return erased;
  }
}
