import { randomUUID } from "node:crypto";
import { DateTime } from "luxon";
import { recordAudit } from "../../audit/recordAudit.ts";
import { validationError } from "../../errors/errors.ts";
import type { CreateMaintenanceWindowReply } from "../../gen/lookout/services.ts";
import { type CreateMaintenanceWindowRequest, MaintenanceWindowService } from "../../gen/lookout/v1/maintenance_pb.ts";
import { type Commit, once } from "../../idempotency/once.ts";
import { insertRow } from "../../store/postgres/insertRow.ts";
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
      const columns = {
        id: randomUUID(),
        website_id: website.id,
        monitor_ids: [...new Set(request.monitorIds)],
        title: request.title,
        starts_at: new Date(startsMs),
        ends_at: new Date(endsMs),
      };
      const made = await insertRow<MaintenanceWindow>(client, "maintenance_windows", columns, windowColumns);
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
  const [startsMs, endsMs] = [readInstant(startsAt), readInstant(endsAt)];
  const unreadable = Object.entries({ startsAt: startsMs, endsAt: endsMs }).filter(([, ms]) => Number.isNaN(ms));
  const message = "must be an ISO 8601 time with its offset, such as 2026-11-21T10:00:00Z";
  if (unreadable.length > 0) throw validationError(unreadable.map(([field]) => ({ field, message })));
  if (endsMs <= startsMs) throw validationError([{ field: "endsAt", message: "must be after startsAt" }]);
  if (endsMs - startsMs > longestMs)
    throw validationError([
      { field: "endsAt", message: "must be at most 30 days after startsAt; create another window" },
    ]);
  return { startsMs, endsMs };
}

/** Unix ms; NaN for anything else than a time. */
function readInstant(text: string): number {
  return instantText.test(text) ? DateTime.fromISO(text).toMillis() : Number.NaN;
}
