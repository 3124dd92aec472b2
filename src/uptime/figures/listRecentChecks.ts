import type { ListRecentChecksReply } from "../../gen/lookout/services.ts";
import type { ListRecentChecksRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { findMonitor } from "../monitor/findMonitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { checkMessage } from "./checkMessage.ts";
import { checkColumns } from "./slotReader.ts";

const defaultLimit = 50;
/** The most regions of a monitor. */
const maxRegions = 20;

/** POST /uptime/checks/recent (specification 4.13): the last checks of all regions, newest first. Rejects with NOT_FOUND. */
export async function listRecentChecks(
  { monitorId, limit = defaultLimit }: ListRecentChecksRequest,
  call: UptimeCall,
): Promise<ListRecentChecksReply> {
  const { id, websiteId } = await findMonitor(monitorId, call);
  // Sorting by time alone reads only as many rows as needed. The regions of one slot are sorted here, so all rows of
  // the last slot are needed.
  const rows = await call.app.questdb
    .of(websiteId)
    .read(
      `SELECT ${checkColumns} FROM uptime_checks WHERE monitor_id = $1 ORDER BY ts DESC LIMIT $2`,
      [id, limit + maxRegions],
      { owner: websiteId, signal: call.signal },
    );
  const inOrder = rows.toSorted(
    (one, other) =>
      Number(other["ts"]) - Number(one["ts"]) || String(one["region"]).localeCompare(String(other["region"])),
  );
  return { checks: inOrder.slice(0, limit).map(checkMessage) };
}
