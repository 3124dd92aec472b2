import type { Website } from "../../../access/websiteDirectory.ts";
import type { Config } from "../../../config.ts";
import { unavailable } from "../../../errors.ts";
import { type RunTools, startOnce } from "../../../store/temporal/runs.ts";
import type { ExportRow } from "../request/exportRow.ts";

/** Starts the run of an export. Rejects with SERVICE_UNAVAILABLE when Temporal is unavailable. */
export async function startRun(
  { temporal, config }: Pick<RunTools, "temporal"> & { readonly config: Pick<Config, "temporal" | "exports"> },
  { id, workflowId, websiteId, organizationId, format, dataTypes, startDate, endDate }: ExportRow,
  { name, domain }: Pick<Website, "name" | "domain">,
): Promise<void> {
  const started = startOnce(
    { temporal, config },
    {
      kind: "export",
      workflowId,
      type: "exportData",
      args: [{ exportId: id, partRows: config.exports.partRows }],
      subject: { websiteId, organizationId, name },
      staticSummary: `${format} of ${dataTypes.join(", ")} of ${domain}, ${startDate} to ${endDate}`,
      staticDetails:
        `Writes the export \`${id}\` part by part, packs it and removes it when its time is over. Cancel it to stop it. ` +
        "What its owner sees of it is in the PostgreSQL table `exports`.",
      timeoutMs: 5_000,
    },
  );
  await started.catch((cause: unknown) => {
    throw unavailable("The export could not be started. Try again in a few seconds", 5, cause);
  });
}
