import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../gateway/callContext.ts";
import type { ListRecentChecksRequest, ListRecentChecksResponseSchema } from "../gen/lookout/v1/uptime_pb.ts";
import { checkMessage } from "./checkMessage.ts";
import { findMonitor } from "./findMonitor.ts";

const defaultLimit = 50;

/** POST /uptime/checks/recent (specification 4.13): the last checks of all regions, newest first. Rejects with NOT_FOUND. */
export async function listRecentChecks(
  { monitorId, limit = defaultLimit }: ListRecentChecksRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof ListRecentChecksResponseSchema>> {
  const { id, websiteId } = await findMonitor(monitorId, call);
  const rows = await call.app.questdb.read(
    "SELECT * FROM uptime_checks WHERE monitor_id = $1 AND website_id = $2 ORDER BY ts DESC, region LIMIT $3",
    [id, websiteId, limit],
    { owner: websiteId, signal: call.signal },
  );
  return { checks: rows.map(checkMessage) };
}
