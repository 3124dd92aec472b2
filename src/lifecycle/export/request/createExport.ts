import { randomUUID } from "node:crypto";
import type { IANAZone } from "luxon";
import type { PoolClient } from "pg";
import { recordAudit } from "../../../audit/recordAudit.ts";
import type { CallContext } from "../../../call/callContext.ts";
import { audienceOnly, rateLimitExceeded } from "../../../errors/errors.ts";
import { detail, Problems } from "../../../errors/problems.ts";
import type { CreateExportReply } from "../../../gen/lookout/services.ts";
import { type CreateExportRequest, DataService } from "../../../gen/lookout/v1/data_pb.ts";
import { type Commit, once } from "../../../idempotency/once.ts";
import type { Questdbs } from "../../../store/questdb/questdbs.ts";
import { workflowIdOf } from "../../../store/temporal/workflowIds.ts";
import { dayOf, type TimeRange, timeZoneOf } from "../../../time/dates.ts";
import { readBounds } from "../../../time/readRange.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import type { StoredWebsite } from "../../../websites/website.ts";
import type { DataCall } from "../../dataCall.ts";
import { type ExportRow, exportColumns } from "../exportRow.ts";
import { countExportRows } from "../run/readRows.ts";
import { startRun } from "../run/startRun.ts";
import { estimateCompletion } from "./estimateCompletion.ts";

/** A slot is free again when the oldest run is done; most are by then. */
const retryAfterMs = 30_000;

/** Kinds of data that are exported also while a website measures its audience only. What was left out may be of people as well. */
const withoutVisitors: ReadonlySet<string> = new Set(["link_clicks", "uptime"]);

/** The only call about data that reads more than counts: what is exported. */
type ExportCall = DataCall & CallContext<{ readonly questdb: Questdbs }>;

/**
 * POST /v1/websites/{website_id}/export (specification 4.18): counts the rows and starts to export them. Days are those
 * of the website's time zone; daily records are those of the UTC days with the same dates. A deleted website can be
 * exported as long as it can be queried.
 *
 * Rejects with VALIDATION_ERROR, NOT_FOUND, CONFLICT for rows of visitors while the website measures its audience only, RATE_LIMIT_EXCEEDED when too many exports of the organization are running,
 * and SERVICE_UNAVAILABLE when QuestDB or PostgreSQL is unavailable. While Temporal is, the export waits until it is back.
 */
export const createExport = once(DataService.method.createExport, make);

async function make(
  request: CreateExportRequest,
  call: ExportCall,
  commit: Commit<CreateExportReply>,
): Promise<CreateExportReply> {
  const { app } = call;
  const website = await findWebsite(app.postgres, request.websiteId, call.caller);
  const personal = request.dataTypes.filter((kind) => !withoutVisitors.has(kind));
  if (website.privacy.audienceOnly && personal.length > 0)
    throw audienceOnly(
      `${personal.join(", ")} cannot be exported, since their rows are those of single visitors or small groups`,
    );
  const zone = timeZoneOf(website.timezone) ?? timeZoneOf("UTC");
  if (zone === undefined) throw new Error("there is no UTC");
  const { startMs, endMs } = readExportRange(request, zone, Date.now());
  const asked = {
    ...request,
    dataTypes: [...new Set(request.dataTypes)],
    timeZone: zone.name,
    fromMs: startMs,
    toMs: endMs,
  };
  const stores = { questdb: app.questdb.of(website.id), postgres: app.postgres };
  const rowsTotal = await countExportRows(stores, asked, { owner: website.id, signal: call.signal });
  const work = async (client: PoolClient) => {
    await requireFreeSlot(client, website.organizationId, app.config.exports.maxRunning);
    const made = await insert(client, { ...asked, website, rowsTotal }, call);
    await recordAudit(client, call, {
      action: "export.create",
      objectId: made.id,
      websiteId: website.id,
      after: {
        format: made.format,
        dataTypes: [...made.dataTypes],
        startDate: made.startDate,
        endDate: made.endDate,
        timezone: made.timeZone,
      },
    });
    return made;
  };
  const { made: row, reply } = await commit(work, (made) => ({
    success: true,
    exportId: made.id,
    status: made.status,
    estimatedCompletion: new Date(estimateCompletion(made, Date.now())).toISOString(),
  }));
  // After the commit: a Temporal that hangs must not hold the lock and a connection.
  await startRun(app, row.id).catch((error: unknown) =>
    app.log.warn({ err: error, exportId: row.id, requestId: call.requestId }, "an export will be started later"),
  );
  return reply;
}

/** Locks the organization until the transaction ends, so that simultaneous requests are counted one after the other. */
async function requireFreeSlot(client: PoolClient, organizationId: string, maxRunning: number): Promise<void> {
  await client.query("SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [organizationId]);
  const { rows } = await client.query<{ running: number }>(
    "SELECT count(*)::int AS running FROM exports WHERE organization_id = $1 AND status = 'processing'",
    [organizationId],
  );
  if ((rows[0]?.running ?? 0) >= maxRunning)
    throw rateLimitExceeded(
      `Your organization has ${maxRunning} exports running, as many as may run at once. Wait until one is done, or cancel one`,
      { limit: maxRunning, waitMs: retryAfterMs },
    );
}

/**
 * Speeds of the last export of a format with enough rows. At its end all written rows are packed, even if the last
 * recorded progress is older.
 */
const lastSpeedsSql = `SELECT rows_written / extract(epoch FROM packing_at - started_at) AS writing,
    rows_written / extract(epoch FROM completed_at - packing_at) AS packing
  FROM exports WHERE format = $4 AND completed_at IS NOT NULL AND rows_written >= 10000 AND packing_at > started_at AND completed_at > packing_at
  ORDER BY completed_at DESC LIMIT 1`;

type Asked = Pick<CreateExportRequest, "websiteId" | "format" | "startDate" | "endDate"> &
  Pick<ExportRow, "dataTypes" | "timeZone" | "fromMs" | "toMs" | "rowsTotal"> & { readonly website: StoredWebsite };

async function insert(client: PoolClient, asked: Asked, { app }: DataCall): Promise<ExportRow> {
  const id = randomUUID();
  const { rows } = await client.query<ExportRow>(
    `INSERT INTO exports (id, website_id, organization_id, format, data_types, start_date, end_date, time_zone, from_at, to_at, valid_ms, rows_total,
       workflow_id, usual_writing, usual_packing)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::float8 / 1000), to_timestamp($10::float8 / 1000), $11, $12, $13, writing, packing
     FROM (VALUES (1)) AS one LEFT JOIN (${lastSpeedsSql}) AS speeds ON true
     RETURNING ${exportColumns}`,
    [
      id,
      asked.websiteId,
      asked.website.organizationId,
      asked.format,
      asked.dataTypes,
      asked.startDate,
      asked.endDate,
      asked.timeZone,
      asked.fromMs,
      asked.toMs,
      app.config.exports.validMs,
      asked.rowsTotal,
      workflowIdOf("export", asked.website.domain, id),
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("a row that was just inserted is missing");
  return row;
}

/**
 * The whole days of an export in the website's time zone. Throws VALIDATION_ERROR that names what is wrong: a day that
 * does not exist, an end before the start, more than ten years, or a start in the future.
 */
function readExportRange(
  { startDate, endDate }: Pick<CreateExportRequest, "startDate" | "endDate">,
  zone: IANAZone,
  nowMs: number,
): TimeRange {
  const problems = new Problems();
  const places = { start: "start_date", end: "end_date" };
  const range = readBounds({ start: startDate, end: endDate }, places, zone, problems);
  if (range !== undefined && range.startMs > nowMs) {
    const today = dayOf(nowMs, zone).toISODate();
    problems.add(detail("start_date", `must not be after today, ${today} in ${zone.name}: there is nothing yet`));
  }
  problems.throwIfAny();
  if (range === undefined) throw new Error("a range without a problem is missing");
  return range;
}
