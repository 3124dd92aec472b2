import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  log,
  setCurrentDetails,
  sleep,
  TimeoutFailure,
  upsertSearchAttributes,
  workflowInfo,
} from "@temporalio/workflow";
import type { ExportEnd } from "../../src/lifecycle/export/exportRun.ts";
import type { Cursor } from "../../src/lifecycle/export/run/cursor.ts";
import type { WrittenDataset } from "../../src/lifecycle/export/run/planFiles.ts";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import { markdownTable } from "../markdownTable.ts";
import { showOutcome } from "../outcome.ts";
import type { ExportActivities } from "./exportActivities.ts";

/** A dataset that is written up to some row. */
type OpenDataset = WrittenDataset & { readonly after: Cursor | null };

/** Where a long run continues in its next part. Set only by the workflow itself. */
type Position = { readonly written: readonly WrittenDataset[]; readonly open: OpenDataset };

export type ExportInput = { readonly exportId: string; readonly partRows: number; readonly position?: Position };

/** The type of the failure with which the run of a failed export ends. */
const exportFailed = "ExportFailed";

const { planExport, expireExport, giveUpExport } = aliveActivities<ExportActivities>({
  startToCloseTimeout: "5 minutes",
});

/**
 * Activities that use the files of an export; `taskQueue` is that of the machine that has them, undefined if every
 * worker can reach them.
 */
function fileActivities(taskQueue: string | undefined) {
  return aliveActivities<ExportActivities>({
    ...(taskQueue === undefined ? {} : { taskQueue, scheduleToStartTimeout: "1 hour" }),
    // Waits at most a day for a store that is unavailable.
    scheduleToCloseTimeout: "1 day",
    // An activity that keeps writing while its files are removed would leave new ones.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { nonRetryableErrorTypes: ["StorageError"] },
  });
}

type Files = ReturnType<typeof fileActivities>;

/**
 * Writes an export part by part, packs it, and removes it when it expires (specification 4.18). A crash costs at most
 * the part being written. Its workflow id is stored with its row, so each export is written by one run; cancelling it at any
 * time removes all files.
 *
 * The run ends like its export: Completed once the archive has expired, Failed with the reason its owner reads,
 * Cancelled when it was cancelled or withdrawn.
 */
export async function exportData(input: ExportInput): Promise<string> {
  const { exportId } = input;
  upsertSearchAttributes([{ key: lookoutKind, value: "export" }]);
  let files: Files | undefined;
  try {
    const plan = await planExport(exportId);
    if (plan.kind === "ended") return endAs(plan);
    files = fileActivities(plan.filesQueue);
    if (plan.kind === "completed") {
      setCurrentDetails(`### Export: completed, kept until ${new Date(plan.expiresMs).toISOString()}`);
      showOutcome("completed");
    }
    const expiresMs = plan.kind === "completed" ? plan.expiresMs : await write(input, plan.datasets, files);
    if (expiresMs !== undefined)
      await sleep(Math.max(1, expiresMs - Date.now()), { summary: "until the archive expires" });
    await expireExport(exportId);
    await removeFiles(exportId, files);
    showOutcome("expired");
    return "expired";
  } catch (error) {
    if (error instanceof ContinueAsNew || isExportFailed(error)) throw error;
    return await end(exportId, files, isEnded(error) ? await cancellationOr(error) : error);
  }
}

/**
 * Writes the archive and makes it available. Resolves to its expiry, Unix ms; undefined when the export was ended
 * meanwhile.
 */
async function write(input: ExportInput, datasets: readonly string[], files: Files): Promise<number | undefined> {
  const { exportId, partRows } = input;
  const written = await writeDatasets(input, datasets, files);
  showProgress("packing", written);
  const archive = await files.packExport.executeWithOptions({ summary: "archive" }, [exportId, written, partRows]);
  const expiresMs = await files.completeExport(exportId, archive);
  if (expiresMs !== undefined) {
    showProgress(`completed, ${archive.bytes} bytes, kept until ${new Date(expiresMs).toISOString()}`, written);
    showOutcome("completed");
  }
  return expiresMs;
}

/** Ends the export, and the run with the same status. */
async function end(exportId: string, files: Files | undefined, error: unknown): Promise<string> {
  const { status, reason } = endingOf(error);
  const ended = await CancellationScope.nonCancellable(async () => {
    const result = await giveUpExport(exportId, status, reason);
    if (files !== undefined) await removeFiles(exportId, files);
    return result;
  });
  if (isCancellation(error)) {
    showEnd(ended);
    throw error;
  }
  return endAs(ended, error);
}

/** Ends the run as its export ended. */
function endAs(ended: ExportEnd, cause?: unknown): string {
  const isShown = showEnd(ended);
  // A run that found its export already failed used to complete.
  if (ended.status === "failed" && (isShown || cause !== undefined))
    throw ApplicationFailure.create({
      message: ended.reason,
      type: exportFailed,
      nonRetryable: true,
      ...(cause instanceof Error ? { cause } : {}),
    });
  return ended.status;
}

/**
 * A machine whose worker does not run removes its files at its next start (src/lifecycle/export/storage/localFiles.ts).
 */
async function removeFiles(exportId: string, files: Files): Promise<void> {
  try {
    await files.removeExportFiles(exportId);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn("The worker of the machine that has the files of an export does not run", { exportId, error });
  }
}

/**
 * The export was cancelled or withdrawn. The API then cancels the run too, and that request may arrive a little later.
 */
async function cancellationOr(error: unknown): Promise<unknown> {
  try {
    await sleep("10 seconds", { summary: "until the run is cancelled as well" });
    return error;
  } catch (cancellation) {
    return cancellation;
  }
}

function isExportFailed(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === exportFailed;
}

function isEnded(error: unknown): boolean {
  return (
    error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === "ExportEnded"
  );
}

/** Writes the rest of the datasets. */
async function writeDatasets(
  { exportId, partRows, position }: ExportInput,
  names: readonly string[],
  { writeExportPart }: Files,
): Promise<readonly WrittenDataset[]> {
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

/** The status of an export that could not be finished, and the reason for its owner. */
function endingOf(error: unknown): { readonly status: "failed" | "cancelled"; readonly reason: string } {
  if (isCancellation(error)) return { status: "cancelled", reason: "An operator cancelled it. Start a new export" };
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (cause instanceof ApplicationFailure && cause.type === "StorageError")
    return { status: "failed", reason: cause.message };
  if (cause instanceof TimeoutFailure)
    return {
      status: "failed",
      reason:
        cause.timeoutType === "SCHEDULE_TO_START"
          ? "The machine that has its files did not run for an hour. Start the export again"
          : "It could not be finished within a day. Start the export again",
    };
  return {
    status: "failed",
    reason: "Something went wrong on our side. Start the export again; if it fails again, report its id",
  };
}

/** Shows how the export ended; false for runs that do not show an outcome yet. */
function showEnd({ status, reason }: ExportEnd): boolean {
  setCurrentDetails(`### Export: ${status}\n\n${reason}`);
  return status !== "processing" && showOutcome(status);
}

/** What the Temporal UI shows of the run. */
function showProgress(state: string, datasets: readonly WrittenDataset[]): void {
  const rows = datasets.map(({ dataset, parts, rows: count }) => [dataset, parts, count]);
  setCurrentDetails(`### Export: ${state}\n\n${markdownTable(["", "parts", "rows"], rows)}`);
}
