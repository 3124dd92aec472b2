import { randomUUID } from "node:crypto";
import { DateTime } from "luxon";
import { recordAudit } from "../../audit/recordAudit.ts";
import { type ErrorDetail, validationError } from "../../errors/errors.ts";
import type { CreateMaintenanceWindowReply } from "../../gen/lookout/services.ts";
import { type CreateMaintenanceWindowRequest, MaintenanceWindowService } from "../../gen/lookout/v1/maintenance_pb.ts";
import { type Commit, once } from "../../idempotency/once.ts";
import { findMonitoredWebsite } from "../monitor/findMonitor.ts";
import { requireMonitors } from "../monitor/requireMonitors.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { auditedWindow, type MaintenanceWindow, windowColumns, windowMessage } from "./window.ts";

const longestMs = 30 * 86_400_000;
/** A date and time with its offset, so that a window does not depend on where it is read. */
const instantText = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** POST /uptime/maintenance/create. Rejects with VALIDATION_ERROR and NOT_FOUND (the website). */
export const createMaintenanceWindow = once(MaintenanceWindowService.method.createMaintenanceWindow, make);

async function make(
  request: CreateMaintenanceWindowRequest,
  call: UptimeCall,
  commit: Commit<CreateMaintenanceWindowReply>,
): Promise<CreateMaintenanceWindowReply> {
  const { startsMs, endsMs } = readTimes(request);
  const website = await findMonitoredWebsite(request.websiteId, call);
  await requireMonitors(
    request.monitorIds.map((id, index) => ({ id, field: `monitorIds[${index}]` })),
    website.id,
    call,
  );
  const { reply } = await commit(
    async (client) => {
      const { rows } = await client.query<MaintenanceWindow>(
        `INSERT INTO maintenance_windows (id, website_id, monitor_ids, title, starts_at, ends_at)
       VALUES ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), to_timestamp($6::float8 / 1000)) RETURNING ${windowColumns}`,
        [randomUUID(), website.id, [...new Set(request.monitorIds)], request.title, startsMs, endsMs],
      );
      const [made] = rows;
      if (made === undefined) throw new Error("PostgreSQL did not return the new window");
      await recordAudit(client, call, {
        action: "maintenance_window.create",
        objectId: made.id,
        websiteId: made.websiteId,
        after: auditedWindow(made),
      });
      return made;
    },
    (window) => ({ window: windowMessage(window) }),
  );
  return reply;
}

/** Throws VALIDATION_ERROR. */
function readTimes({ startsAt, endsAt }: CreateMaintenanceWindowRequest): { startsMs: number; endsMs: number } {
  const startsMs = readInstant(startsAt);
  const endsMs = readInstant(endsAt);
  const unreadable = (field: string): ErrorDetail => ({
    field,
    message: "must be an ISO 8601 time with its offset, such as 2026-11-21T10:00:00Z",
  });
  if (startsMs === undefined || endsMs === undefined)
    throw validationError([
      ...(startsMs === undefined ? [unreadable("startsAt")] : []),
      ...(endsMs === undefined ? [unreadable("endsAt")] : []),
    ]);
  if (endsMs <= startsMs) throw validationError([{ field: "endsAt", message: "must be after startsAt" }]);
  if (endsMs - startsMs > longestMs)
    throw validationError([
      { field: "endsAt", message: "must be at most 30 days after startsAt; create another window" },
    ]);
  return { startsMs, endsMs };
}

function readInstant(text: string): number | undefined {
  if (!instantText.test(text)) return undefined;
  const instant = DateTime.fromISO(text);
  return instant.isValid ? instant.toMillis() : undefined;
}
