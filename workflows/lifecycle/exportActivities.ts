import { ApplicationFailure, activityInfo, Context } from "@temporalio/activity";
import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import { flushEvery } from "../../src/concurrency/poll.ts";
import type { Config } from "../../src/config.ts";
import { isEventFile } from "../../src/lifecycle/export/dataset.ts";
import { datasetsOf } from "../../src/lifecycle/export/datasets.ts";
import type { ExportRow } from "../../src/lifecycle/export/exportRow.ts";
import {
  complete,
  type ExportEnd,
  expire,
  giveUp,
  type PackedArchive,
  readExport,
  recordRemoved,
  recordRows,
} from "../../src/lifecycle/export/exportRun.ts";
import type { WrittenDataset } from "../../src/lifecycle/export/run/planFiles.ts";
import { countExportRows } from "../../src/lifecycle/export/run/readRows.ts";
import { reconcileExports } from "../../src/lifecycle/export/run/reconcileExports.ts";
import type { Part, PartRequest } from "../../src/lifecycle/export/run/writePart.ts";
import { chooseStorage } from "../../src/lifecycle/export/storage/exportStorages.ts";
import { partsFolder } from "../../src/lifecycle/export/storage/fileNames.ts";
import type { LocalFiles } from "../../src/lifecycle/export/storage/localFiles.ts";
import { openStorage } from "../../src/lifecycle/export/storage/openStorage.ts";
import type { ExportTask } from "../../src/lifecycle/export/thread/exportTask.ts";
import { runInThread } from "../../src/lifecycle/export/thread/runInThread.ts";
import type { Questdbs } from "../../src/store/questdb/questdbs.ts";
import { appliedSoonMs, whenApplied } from "../../src/store/questdb/whenApplied.ts";
import { isStoreUnavailable } from "../../src/store/storeUnavailable.ts";

export type ExportActivities = ReturnType<typeof createExportActivities>;

export type ExportStores = {
  readonly postgres: Pick<Pool, "query">;
  readonly temporal: { readonly client: Client };
  readonly questdb: Pick<Questdbs, "nodeOf">;
  readonly config: Config;
  /** The directory of exports on this machine; undefined with a bucket, which every worker can reach. */
  readonly localFiles: LocalFiles | undefined;
};

/**
 * What a run has to do; `filesQueue` is the task queue of the machine that has the files, undefined if every worker can
 * reach them.
 */
export type ExportPlan =
  | ({ readonly kind: "ended" } & ExportEnd)
  | { readonly kind: "completed"; readonly expiresMs: number; readonly filesQueue?: string }
  | { readonly kind: "write"; readonly datasets: readonly string[]; readonly filesQueue?: string };

/** The task queue of the workers on the machine of an export directory. */
export function filesQueueOf({ temporal }: Pick<Config, "temporal">, storageId: string): string {
  return `${temporal.taskQueue}-exports-${storageId}`;
}

/**
 * An export fails after this many attempts with errors that only a defect can explain; a store that is unavailable does not
 * count.
 */
const maxAttempts = 5;

/** How often progress is stored, and so how soon a cancelled export stops. */
const reportEveryMs = 1_000;

/** The activities of exports. */
export function createExportActivities(stores: ExportStores) {
  const { postgres, questdb, config, localFiles } = stores;

  /**
   * Runs a task and stores its progress every second; fails with ExportEnded once the export is not processing any
   * more.
   */
  const runReporting = async <T extends ExportTask>(task: T, note: (rows: number) => Promise<boolean>) => {
    const context = Context.current();
    const ended = new AbortController();
    let rows = 0;
    const report = async (): Promise<void> => {
      if (!(await note(rows))) ended.abort(exportEnded());
    };
    await report();
    const done = new AbortController();
    // While PostgreSQL is unavailable the task continues.
    const reporting = flushEvery(report, reportEveryMs, done.signal, () => undefined);
    try {
      const signal = AbortSignal.any([context.cancellationSignal, ended.signal]);
      const onRows = (count: number): void => {
        rows = count;
      };
      const row = task.kind === "part" ? task.row : task.request.row;
      // Each part is read from one replica; the next one may be read from another that has everything.
      const { settings } = await questdb.nodeOf(row.websiteId);
      return await runInThread(
        task,
        { questdb: settings, postgres: config.postgres, exports: config.exports },
        onRows,
        signal,
      );
    } catch (error) {
      const isLast =
        activityInfo().attempt >= maxAttempts && !isStoreUnavailable(error) && !context.cancellationSignal.aborted;
      throw isLast ? lastAttempt(error) : error;
    } finally {
      done.abort();
      // A late progress update would overwrite a newer one.
      await reporting;
    }
  };

  return {
    /** What is left to do. From the first call on, the files of the export are on this worker's machine. */
    async planExport(id: string): Promise<ExportPlan> {
      const row = await readExport(postgres, id);
      if (row === undefined) return { kind: "ended", status: "failed", reason: `There is no export ${id}` };
      const storageId = row.storageId ?? (await chooseStorage(postgres, id, localFiles));
      const files = storageId === null ? {} : { filesQueue: filesQueueOf(config, storageId) };
      if (row.status === "completed") return { kind: "completed", expiresMs: row.expiresMs ?? 0, ...files };
      if (row.status !== "processing") return { kind: "ended", status: row.status, reason: row.reason ?? "" };
      const datasets = datasetsOf(row.dataTypes);
      // Rows acknowledged before the export was requested must be in it.
      const tables = datasets.filter(isEventFile).map(({ table }) => table);
      const signal = Context.current().cancellationSignal;
      const { reader } = await questdb.nodeOf(row.websiteId);
      await whenApplied(reader, tables, signal, appliedSoonMs);
      // When the export was requested some of its rows may not have been readable yet.
      if (row.rowsWritten === 0)
        await recordRows(postgres, id, "total", await countExportRows({ questdb: reader, postgres }, row, { signal }));
      return { kind: "write", datasets: datasets.map(({ name }) => name), ...files };
    },

    /**
     * Writes a part of a dataset; the other parts of the export have `rowsBefore` rows. A repetition replaces the part.
     */
    async writeExportPart(id: string, dataset: string, part: PartRequest, rowsBefore: number): Promise<Part> {
      const row = await readProcessing(postgres, id);
      const written = await runReporting({ kind: "part", row, dataset, part }, (rows) =>
        recordRows(postgres, id, "written", rowsBefore + rows),
      );
      await recordRows(postgres, id, "written", rowsBefore + written.rows);
      return written;
    },

    async packExport(id: string, written: readonly WrittenDataset[], partRows: number): Promise<PackedArchive> {
      const row = await readProcessing(postgres, id);
      const { rows } = await postgres.query<{ id: string; name: string; domain: string }>(
        "SELECT id, name, domain FROM websites WHERE id = $1",
        [row.websiteId],
      );
      const [website] = rows;
      if (website === undefined) throw exportEnded();
      const task: ExportTask = { kind: "archive", request: { row, website, written, partRows } };
      return await runReporting(task, (done) => recordRows(postgres, id, "packed", done));
    },

    /** Makes the archive available. Resolves to its expiry, Unix ms; undefined when the export was ended meanwhile. */
    async completeExport(id: string, archive: PackedArchive): Promise<number | undefined> {
      const expiresMs = await complete(postgres, id, archive);
      await (await openStorage(config.exports)).removeFolder(partsFolder(id));
      return expiresMs;
    },

    giveUpExport: (id: string, status: "failed" | "cancelled", reason: string) => giveUp(postgres, id, status, reason),

    /** Removes all files of an export that has ended. */
    async removeExportFiles(id: string): Promise<void> {
      await (await openStorage(config.exports)).removeFolder(id);
      await recordRemoved(postgres, id);
    },

    reconcileExports: () => reconcileExports(stores),
    expireExport: (id: string) => expire(postgres, id),
  };
}

async function readProcessing(postgres: Pick<Pool, "query">, id: string): Promise<ExportRow> {
  const row = await readExport(postgres, id);
  if (row?.status !== "processing") throw exportEnded();
  return row;
}

/** The export was cancelled or withdrawn: there is nothing to retry. */
function exportEnded(): ApplicationFailure {
  return ApplicationFailure.nonRetryable("The export was ended", "ExportEnded");
}

function lastAttempt(error: unknown): ApplicationFailure {
  return ApplicationFailure.fromError(error, { nonRetryable: true });
}
