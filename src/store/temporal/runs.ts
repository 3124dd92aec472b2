import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from "@temporalio/client";
import type { Pool } from "pg";
import type { Config } from "../../config.ts";
import { attributesOf, type RunSubject } from "./searchAttributes.ts";

/** What is needed to start runs of workflows and to signal them. PostgreSQL records what was started. */
export type RunTools = {
  readonly temporal: { readonly client: Client };
  readonly postgres: Pick<Pool, "query">;
  readonly config: { readonly temporal: Pick<Config["temporal"], "taskQueue"> };
};

/** How long Temporal may take: an API request waits for it. */
export const temporalTimeoutMs = 2_000;

type NewRun = {
  /** What operators find it by. */
  readonly kind: string;
  readonly workflowId: string;
  /** The type of the workflow; by default its kind. */
  readonly type?: string;
  readonly args: readonly unknown[];
  readonly staticSummary: string;
  readonly staticDetails: string;
  readonly subject?: RunSubject;
  readonly timeoutMs?: number;
};

/**
 * Starts a workflow, unless it runs or has completed: a second run would do its work twice. A run that
 * failed, or that an operator terminated or cancelled, is started again. Rejects when Temporal is unavailable.
 */
export async function startOnce(
  { temporal: { client }, config }: Pick<RunTools, "temporal" | "config">,
  { kind, workflowId, type = kind, args, subject, timeoutMs = temporalTimeoutMs, ...shown }: NewRun,
): Promise<void> {
  try {
    await client.withDeadline(Date.now() + timeoutMs, () =>
      client.workflow.start(type, {
        ...shown,
        workflowId,
        workflowIdReusePolicy: "ALLOW_DUPLICATE_FAILED_ONLY",
        taskQueue: config.temporal.taskQueue,
        args: [...args],
        typedSearchAttributes: attributesOf(kind, subject),
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Signals or cancels a run, if there is one. Rejects when Temporal is unavailable. */
export async function withRun(
  client: Client,
  workflowId: string,
  act: (run: WorkflowHandle) => Promise<unknown>,
): Promise<void> {
  try {
    await client.withDeadline(Date.now() + temporalTimeoutMs, () => act(client.workflow.getHandle(workflowId)));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/**
 * Whether a workflow is running or has ended. "unknown" if Temporal does not know its id: not yet, no longer, or it has
 * lost its data.
 */
export async function runStateOf(client: Client, workflowId: string): Promise<"running" | "ended" | "unknown"> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === "RUNNING" ? "running" : "ended";
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return "unknown";
    throw error;
  }
}
