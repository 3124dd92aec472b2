import { epochMs } from "../../../store/postgres/epochMs.ts";
import { workflowIdSql } from "../../../store/temporal/workflowIds.ts";

/** Proves that a deletion is done; stored as it is answered. Times are ISO 8601. */
export type DeletionReceipt = {
  readonly tables: { readonly table: string; readonly rowsBefore: number; readonly rowsAfter: number }[];
  /** UTC days, oldest first. */
  readonly days: string[];
  readonly exportsWithdrawn: string[];
  readonly unreadableAt: string;
  readonly goneAt: string;
  /** Logs that `goneAt` does not cover: their processes did not report. */
  readonly spoolsAway: LogAway[];
  /** Replicas that did not answer; absent if there is none. */
  readonly replicasAway?: ReplicaAway[];
  /** When the last backup expires that was made before the rows were gone; absent if there is none. */
  readonly backupsExpireAt?: string;
  /** Until when the log of the brokers may hold bytes of the rows; absent without brokers. */
  readonly logExpiresAt?: string;
  /** Each time that the rows came back with a backup and were erased again before anything was answered. */
  readonly reapplied?: ReappliedDeletion[];
};

/**
 * A log whose process does not report. The guard keeps its erased rows out of the store when the process comes back.
 */
export type LogAway = { readonly place: string; readonly lastSeenAt: string };

/** A replica that did not answer while something was erased, and when it had applied that, ISO 8601. */
export type ReplicaAway = { readonly place: string; readonly lastSeenAt: string; readonly erasedAt?: string };

/** An erasure that was repeated in stores that were restored from a backup. Times are ISO 8601. */
export type ReappliedDeletion = {
  /** When the backup was taken. */
  readonly backupTakenAt: string;
  readonly reappliedAt: string;
  /** The rows that the backup had brought back. */
  readonly rows: number;
};

/** A row of the table `deletions`. Times are Unix ms, days YYYY-MM-DD. */
export type Deletion = {
  readonly id: string;
  readonly workflowId: string;
  readonly kind: "request" | "purge";
  readonly websiteId: string;
  readonly organizationId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly dataTypes: readonly string[];
  readonly visitorKey: number | null;
  readonly status: "processing" | "completed";
  readonly phase: "waiting" | "erasing" | "recomputing" | "releasing" | "done";
  readonly rowsBefore: Readonly<Record<string, number>> | null;
  readonly rowsAfter: Readonly<Record<string, number>> | null;
  /** UTC days with rows, newest first; null until they were listed. */
  readonly days: readonly string[] | null;
  /** Those of them whose sessions and daily records are recomputed. */
  readonly touchedDays: readonly string[];
  readonly daysDone: readonly string[];
  readonly unreadableMs: number | null;
  readonly exportsWithdrawn: readonly string[];
  readonly goneMs: number | null;
  readonly logsAway: readonly LogAway[];
  readonly receipt: DeletionReceipt | null;
  readonly requestId: string;
  readonly createdMs: number;
};

/** Columns of the table deletions, as a Deletion names them. */
export const deletionColumns = `id, ${workflowIdSql("deletion")} AS "workflowId", kind, website_id AS "websiteId", organization_id AS "organizationId", start_date::text AS "startDate",
  end_date::text AS "endDate", from_ms::float8 AS "fromMs", until_ms::float8 AS "untilMs", data_types AS "dataTypes",
  visitor_key::float8 AS "visitorKey", status, phase, rows_before AS "rowsBefore", rows_after AS "rowsAfter", days::text[] AS days,
  coalesce(touched_days, '{}')::text[] AS "touchedDays", days_done::text[] AS "daysDone", ${epochMs("unreadable_at")} AS "unreadableMs",
  exports_withdrawn AS "exportsWithdrawn", ${epochMs("gone_at")} AS "goneMs", logs_away AS "logsAway", receipt, request_id AS "requestId", ${epochMs("created_at")} AS "createdMs"`;
