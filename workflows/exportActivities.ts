import { ApplicationFailure, activityInfo, Context } from "@temporalio/activity";
import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import { waitUntilApplied } from "../src/aggregation/waitUntilApplied.ts";
import type { Config } from "../src/config.ts";
import { countExportRows } from "../src/data/export/countExportRows.ts";
import { datasetsOf } from "../src/data/export/datasets.ts";
import type { ExportRow } from "../src/data/export/exportRow.ts";
import {
  complete,
  expire,
  giveUp,
  notePacked,
  noteRemoved,
  noteTotal,
  noteWritten,
  readExport,
} from "../src/data/export/exportRun.ts";
import { partsFolder } from "../src/data/export/fileNames.ts";
import type { PackedArchive } from "../src/data/export/packArchive.ts";
import type { WrittenDataset } from "../src/data/export/planFiles.ts";
import { type ReconciledExports, reconcileExports } from "../src/data/export/reconcileExports.ts";
import { openStorage } from "../src/data/export/storage/openStorage.ts";
import type { ExportTask } from "../src/data/export/thread/exportTask.ts";
import { runInThread } from "../src/data/export/thread/runInThread.ts";
import type { Part, PartRequest } from "../src/data/export/writePart.ts";
import type { QuestdbReader } from "../src/store/questdbReader.ts";
import { isStoreAway } from "../src/store/storeAway.ts";

export type ExportActivities = ReturnType<typeof createExportActivities>;

export type ExportStores = {
  readonly postgres: Pick<Pool, "query">;
  readonly temporal: { readonly client: Client };
  readonly questdb: QuestdbReader;
  readonly config: Config;
};

/** What only a defect can explain fails an export after so many attempts; a store that is away is waited for. */
const maxAttempts = 5;

/** How often progress is noted, and so how soon an export stops that was cancelled. Below the workflow's heartbeat timeout. */
const noteEveryMs = 1_000;

/** The workflow is started in the transaction that makes the export. */
const commitPatienceMs = 30_000;

/** What the workflow of an export may do to the world. */
export function createExportActivities(stores: ExportStores) {
  const { postgres, questdb, config } = stores;
  const removeFiles = async (id: string): Promise<void> => {
    await (await openStorage(config.exports)).removeFolder(id);
    await noteRemoved(postgres, id);
  };

  /** Runs a task and notes its progress every second; fails with ExportEnded once the export is not processing any more. */
  const runNoted = async <T extends ExportTask>(task: T, note: (rows: number) => Promise<boolean>) => {
    const context = Context.current();
    const ended = new AbortController();
    let rows = 0;
    const look = async (): Promise<void> => {
      if (!(await note(rows))) ended.abort(exportEnded());
    };
    await look();
    let looking: Promise<void> | undefined;
    const timer = setInterval(() => {
      context.heartbeat();
      // PostgreSQL that is away does not stop what needs it later only.
      looking ??= look()
        .catch(() => undefined)
        .finally(() => {
          looking = undefined;
        });
    }, noteEveryMs);
    try {
      const signal = AbortSignal.any([context.cancellationSignal, ended.signal]);
      const onRows = (done: number): void => {
        rows = done;
      };
      return await runInThread(task, config, onRows, signal);
    } catch (error) {
      const isLast =
        activityInfo().attempt >= maxAttempts && !isStoreAway(error) && !context.cancellationSignal.aborted;
      throw isLast ? lastAttempt(error) : error;
    } finally {
      clearInterval(timer);
      // A note that is late would stand for less than the one that comes next.
      await looking;
    }
  };

  return {
    /** Names of the files to write; undefined when the export was ended already. */
    async planExport(id: string): Promise<string[] | undefined> {
      const row = await readExport(postgres, id);
      if (row === undefined) {
        // The API lost its transaction after it had started this run.
        if (Date.now() - activityInfo().scheduledTimestampMs > commitPatienceMs) return undefined;
        throw new Error(`The export ${id} is not there yet`);
      }
      if (row.status !== "processing") return undefined;
      const datasets = datasetsOf(row.dataTypes);
      // What was acknowledged before the export was asked for is in it.
      const tables = datasets.map(({ table }) => table);
      const signal = Context.current().cancellationSignal;
      await waitUntilApplied(questdb, tables, signal);
      // When the export was asked for, some of its rows could not be read yet.
      if (row.rowsWritten === 0) await noteTotal(postgres, id, await countExportRows(questdb, row, { signal }));
      return datasets.map(({ name }) => name);
    },

    /** Writes a part of a dataset, whose export has `rowsBefore` rows in its other parts. Doing it again replaces the part. */
    async writeExportPart(id: string, dataset: string, part: PartRequest, rowsBefore: number): Promise<Part> {
      const row = await readProcessing(postgres, id);
      const written = await runNoted({ kind: "part", row, dataset, part }, (rows) =>
        noteWritten(postgres, id, rowsBefore + rows),
      );
      await noteWritten(postgres, id, rowsBefore + written.rows);
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
      return await runNoted(task, (done) => notePacked(postgres, id, done));
    },

    /** Lets the archive be downloaded. Until when, Unix ms; undefined when the export was ended meanwhile. */
    async completeExport(id: string, archive: PackedArchive): Promise<number | undefined> {
      const expiresMs = await complete(postgres, id, archive);
      await (await openStorage(config.exports)).removeFolder(partsFolder(id));
      return expiresMs;
    },

    /** Ends an export that is not done, unless it was ended already, and removes all that was written. */
    async giveUpExport(id: string, status: "failed" | "cancelled", reason: string): Promise<void> {
      await giveUp(postgres, id, status, reason);
      await expire(postgres, id);
      await removeFiles(id);
    },

    /** Puts right what lost runs left behind. */
    async reconcileExports(): Promise<ReconciledExports> {
      return await reconcileExports(stores, () => Context.current().heartbeat());
    },

    /** Ends an export whose time is over, and removes its archive. */
    async expireExport(id: string): Promise<void> {
      await expire(postgres, id);
      await removeFiles(id);
    },
  };
}

async function readProcessing(postgres: Pick<Pool, "query">, id: string): Promise<ExportRow> {
  const row = await readExport(postgres, id);
  if (row?.status !== "processing") throw exportEnded();
  return row;
}

/** The export was cancelled or withdrawn: there is nothing to try again. */
function exportEnded(): ApplicationFailure {
  return ApplicationFailure.nonRetryable("The export was ended", "ExportEnded");
}

function lastAttempt(error: unknown): ApplicationFailure {
  return ApplicationFailure.fromError(error, { nonRetryable: true });
}
