import type { Config } from "../../../config.ts";
import { unavailable } from "../../../errors.ts";
import { type RunTools, startOnce } from "../../../store/temporal/runs.ts";
import type { ExportRow } from "../request/exportRow.ts";

/** Starts the run of an export. Rejects with SERVICE_UNAVAILABLE when Temporal is unavailable. */
export async function startRun(
  { temporal, config }: Pick<RunTools, "temporal"> & { readonly config: Pick<Config, "temporal" | "exports"> },
  { id, websiteId, format, dataTypes, startDate, endDate }: ExportRow,
): Promise<void> {
  const started = startOnce({ temporal, config }, "export", id, {
    type: "exportData",
    args: [{ exportId: id, partRows: config.exports.partRows }],
    websiteId,
    staticSummary: `${format} of ${dataTypes.join(", ")}, ${startDate} to ${endDate}`,
    staticDetails:
      "Writes an export part by part, packs it and removes it when its time is over. Cancel it to stop it.",
    timeoutMs: 5_000,
  });
  await started.catch((cause: unknown) => {
    throw unavailable("The export could not be started. Try again in a few seconds", 5, cause);
  });
}
