import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from "@temporalio/workflow";
import type { WrittenDataset } from "../src/data/export/planFiles.ts";
import type { Cursor } from "../src/data/export/readRows.ts";
import type { ExportActivities } from "./exportActivities.ts";
import { lookoutKind } from "./searchAttributes.ts";

/** A dataset that is being written, up to a row. */
type OpenDataset = WrittenDataset & { readonly after: Cursor | null };

/** Where a run that grew long goes on in its next part. Only the workflow itself sets it. */
type Position = { readonly written: readonly WrittenDataset[]; readonly open: OpenDataset };

export type ExportInput = { readonly exportId: string; readonly partRows: number; readonly position?: Position };

/** Files that are to go must go, whenever a store comes back: the retries have no end. */
const retry = { initialInterval: "1 second", maximumInterval: "1 minute" } as const;

const { writeExportPart, packExport } = proxyActivities<ExportActivities>({
  heartbeatTimeout: "10 seconds",
  // A store that is away is waited for, a day at most.
  scheduleToCloseTimeout: "1 day",
  // What still writes when its files are removed would leave new ones.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...retry, nonRetryableErrorTypes: ["StorageError"] },
});

const { planExport, completeExport, giveUpExport, expireExport } = proxyActivities<ExportActivities>({
  startToCloseTimeout: "5 minutes",
  retry,
});

/**
 * Writes an export part by part, packs it, and removes it when its time is over (specification 4.18). A crash costs at most the part that
 * was being written. Its workflow id is export/<id>, so each export is written by one run; cancelling it at any time removes all files.
 *
 * Runs live as long as their archives: what issues other commands than before goes behind `patched`.
 */
export async function exportData(input: ExportInput): Promise<string> {
  const { exportId } = input;
  upsertSearchAttributes([{ key: lookoutKind, value: "export" }]);
  try {
    const written = await writeDatasets(input);
    if (written === undefined) return "the export was ended before it began";
    showProgress("packing", written);
    const archive = await packExport.executeWithOptions({ summary: "archive" }, [exportId, written, input.partRows]);
    const expiresMs = await completeExport(exportId, archive);
    if (expiresMs !== undefined) {
      showProgress(`done, ${archive.bytes} bytes, kept until ${new Date(expiresMs).toISOString()}`, written);
      await sleep(Math.max(1, expiresMs - Date.now()), { summary: "until the archive expires" });
    }
    await expireExport(exportId);
    return "expired";
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const { status, reason } = endingOf(error);
    await CancellationScope.nonCancellable(() => giveUpExport(exportId, status, reason));
    setCurrentDetails(`### Export: ${status}\n\n${reason}`);
    return status;
  }
}

/** Writes what is not written yet; undefined when the export was ended before it began. */
async function writeDatasets({
  exportId,
  partRows,
  position,
}: ExportInput): Promise<readonly WrittenDataset[] | undefined> {
  const names = await planExport(exportId);
  if (names === undefined) return undefined;
  const written = [...(position?.written ?? [])];
  let next = position?.open;
  for (const dataset of names.slice(written.length)) {
    let open: OpenDataset = next ?? { dataset, parts: 0, rows: 0, after: null };
    next = undefined;
    for (let isLast = false; !isLast; ) {
      showProgress("writing", [...written, open]);
      const rowsBefore = [...written, open].reduce((sum, { rows }) => sum + rows, 0);
      const part = await writeExportPart.executeWithOptions({ summary: `${dataset}, part ${open.parts + 1}` }, [
        exportId,
        dataset,
        { index: open.parts, after: open.after, limit: partRows },
        rowsBefore,
      ]);
      open = { dataset, parts: open.parts + 1, rows: open.rows + part.rows, after: part.last };
      isLast = part.isLast;
      if (!isLast && workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof exportData>({ exportId, partRows, position: { written, open } });
    }
    written.push({ dataset, parts: open.parts, rows: open.rows });
  }
  return written;
}

/** How an export ends that could not be finished, and why, for its owner. */
function endingOf(error: unknown): { readonly status: "failed" | "cancelled"; readonly reason: string } {
  if (isCancellation(error)) return { status: "cancelled", reason: "An operator cancelled it. Start a new export" };
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (cause instanceof ApplicationFailure && cause.type === "StorageError")
    return { status: "failed", reason: cause.message };
  return {
    status: "failed",
    reason: "Something went wrong on our side. Start the export again; if it fails again, report its id",
  };
}

/** What an operator sees of the run in the Temporal UI. */
function showProgress(state: string, datasets: readonly WrittenDataset[]): void {
  setCurrentDetails(
    [
      `### Export: ${state}`,
      "",
      "| | parts | rows |",
      "|-|-|-|",
      ...datasets.map(({ dataset, parts, rows }) => `| ${dataset} | ${parts} | ${rows} |`),
    ].join("\n"),
  );
}
