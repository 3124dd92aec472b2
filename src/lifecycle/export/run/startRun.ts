import { type Client, WorkflowIdReusePolicy } from "@temporalio/client";
import type { Config } from "../../../config.ts";
import { ApiError } from "../../../errors.ts";
import { lookoutKind, lookoutWebsite } from "../../../store/temporal/searchAttributes.ts";
import type { ExportRow } from "../request/exportRow.ts";

export type StartTools = {
  readonly temporal: { readonly client: Client };
  readonly config: Pick<Config, "temporal" | "exports">;
};

/** How long Temporal may take: an API request waits for it. */
const deadlineMs = 5_000;

/** Starts the run of an export. Rejects with SERVICE_UNAVAILABLE when Temporal is unavailable. */
export async function startRun(
  { temporal: { client }, config }: StartTools,
  { id, websiteId, format, dataTypes, startDate, endDate }: ExportRow,
): Promise<void> {
  const started = client.withDeadline(Date.now() + deadlineMs, () =>
    client.workflow.start("exportData", {
      workflowId: `export/${id}`,
      taskQueue: config.temporal.taskQueue,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      args: [{ exportId: id, partRows: config.exports.partRows }],
      staticSummary: `${format} of ${dataTypes.join(", ")}, ${startDate} to ${endDate}`,
      staticDetails:
        "Writes an export part by part, packs it and removes it when its time is over. Cancel it to stop it.",
      typedSearchAttributes: [
        { key: lookoutKind, value: "export" },
        { key: lookoutWebsite, value: websiteId },
      ],
    }),
  );
  await started.catch((cause: unknown) => {
    throw new ApiError("SERVICE_UNAVAILABLE", "The export could not be started. Try again in a few seconds", {
      headers: { "retry-after": "5" },
      cause,
    });
  });
}
