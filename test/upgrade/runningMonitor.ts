import { Client, Connection } from "@temporalio/client";
import { lookoutName } from "../../src/store/temporal/searchAttributes.ts";
import type { Stack } from "../../stack/stack.ts";

export type ShownMonitor = {
  readonly workflowId: string;
  readonly status: string;
  /** Absent of a run that has not loaded its settings since the upgrade. */
  readonly name: string | undefined;
};

/** What Temporal shows of the monitors: one of each, whatever it was named when it began. */
export async function shownMonitors({ config: { temporal } }: Pick<Stack, "config">): Promise<readonly ShownMonitor[]> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    const found: ShownMonitor[] = [];
    const query = "LookoutKind = 'monitor' AND ExecutionStatus = 'Running'";
    for await (const { workflowId, status, typedSearchAttributes } of client.workflow.list({ query }))
      found.push({ workflowId, status: status.name, name: typedSearchAttributes.get(lookoutName) });
    return found;
  } finally {
    await connection.close();
  }
}
