import { proxySinks } from "@temporalio/workflow";
import type { LossReason } from "../../src/observability/metrics.ts";

/** What monitors count in the worker's metrics. Not counted again when a history is replayed. */
export type CheckSinks = { readonly checks: { lost(reason: LossReason, slots: number): void } };

export const { checks } = proxySinks<CheckSinks>();
