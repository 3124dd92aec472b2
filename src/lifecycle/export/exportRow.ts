import { epochMs } from "../../store/postgres/epochMs.ts";
import { workflowIdSql } from "../../store/temporal/workflowIds.ts";

/** A row of the table `exports`. */
export type ExportRow = {
  readonly id: string;
  readonly workflowId: string;
  readonly websiteId: string;
  readonly organizationId: string;
  readonly format: ExportFormat;
  readonly dataTypes: readonly string[];
  /** YYYY-MM-DD, in the time zone. */
  readonly startDate: string;
  readonly endDate: string;
  readonly timeZone: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly status: ExportStatus;
  readonly reason: string | null;
  /** The directory of the machine that has its files; null before the first is written, and with a bucket. */
  readonly storageId: string | null;
  readonly validMs: number;
  readonly rowsTotal: number;
  readonly rowsWritten: number;
  readonly rowsPacked: number;
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Rows per second of the last export of the format; null if there was none. */
  readonly usualWriting: number | null;
  readonly usualPacking: number | null;
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly packingMs: number | null;
  readonly completedMs: number | null;
  readonly expiresMs: number | null;
  readonly endedMs: number | null;
};

export type ExportFormat = "csv" | "json" | "parquet";

export type ExportStatus = "processing" | "completed" | "failed" | "cancelled" | "expired";

/** Columns of the table exports, as an ExportRow names them. */
export const exportColumns = `id, ${workflowIdSql("export")} AS "workflowId", website_id AS "websiteId", organization_id AS "organizationId", format, data_types AS "dataTypes",
  start_date::text AS "startDate", end_date::text AS "endDate", time_zone AS "timeZone", ${epochMs("from_at")} AS "fromMs", ${epochMs("to_at")} AS "toMs",
  status, reason, storage_id AS "storageId", valid_ms::float8 AS "validMs", rows_total::float8 AS "rowsTotal", rows_written::float8 AS "rowsWritten",
  rows_packed::float8 AS "rowsPacked", bytes::float8 AS bytes, sha256, usual_writing AS "usualWriting", usual_packing AS "usualPacking",
  ${epochMs("created_at")} AS "createdMs", ${epochMs("started_at")} AS "startedMs",
  ${epochMs("packing_at")} AS "packingMs", ${epochMs("completed_at")} AS "completedMs", ${epochMs("expires_at")} AS "expiresMs", ${epochMs("ended_at")} AS "endedMs"`;
