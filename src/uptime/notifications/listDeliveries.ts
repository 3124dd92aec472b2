import { workflowLink } from "../../access/workflowLink.ts";
import type { DeliveryInit, ListDeliveriesReply } from "../../gen/lookout/services.ts";
import type { ListDeliveriesRequest } from "../../gen/lookout/v1/notification_channels_pb.ts";
import { epochMs } from "../../store/postgres/epochMs.ts";
import { workflowIdSql } from "../../store/temporal/workflowIds.ts";
import { monitorNotFound } from "../monitor/findMonitor.ts";
import type { UptimeCall } from "../uptimeCall.ts";
import { channelNotFound, isShownChannel } from "./channels/channel.ts";

const defaultLimit = 50;

type Row = {
  readonly id: string;
  readonly workflowId: string;
  readonly channelId: string;
  readonly monitorId: string | null;
  readonly incidentId: string | null;
  readonly event: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAtMs: number;
  readonly deliveredAtMs: number | null;
};

const columns = `delivery.id, ${workflowIdSql("delivery", "delivery")} AS "workflowId", channel_id AS "channelId", monitor_id AS "monitorId",
  incident_id AS "incidentId", event, delivery.status, attempts, last_error AS "lastError", ${epochMs("delivery.created_at")} AS "createdAtMs",
  ${epochMs("delivered_at")} AS "deliveredAtMs"`;

/**
 * POST /uptime/deliveries/list: newest first, including deleted channels and monitors. A key limited to websites sees
 * only the tests and the deliveries of their monitors. Rejects with NOT_FOUND (the channel, the monitor).
 */
export async function listDeliveries(request: ListDeliveriesRequest, call: UptimeCall): Promise<ListDeliveriesReply> {
  const { app, caller } = call;
  const channelId = request.channelId ?? null;
  const monitorId = request.monitorId ?? null;
  const isShown = async (sql: string, id: string) => {
    const { rows } = await app.postgres.query(sql, [caller?.organizationId, caller?.websiteIds ?? null, id]);
    return rows.length > 0;
  };
  if (channelId !== null && !(await isShown(shownChannel, channelId))) throw channelNotFound();
  if (monitorId !== null && !(await isShown(shownMonitor, monitorId))) throw monitorNotFound();
  const { rows } = await app.postgres.query<Row>(
    `SELECT ${columns}
     FROM deliveries delivery LEFT JOIN monitors monitor ON monitor.id = delivery.monitor_id
     WHERE delivery.organization_id = $1 AND ($2::text IS NULL OR channel_id = $2) AND ($3::text IS NULL OR monitor_id = $3)
       AND ($4::text[] IS NULL OR monitor.website_id = ANY($4))
     ORDER BY delivery.created_at DESC, delivery.id LIMIT $5`,
    [caller?.organizationId, channelId, monitorId, caller?.websiteIds ?? null, request.limit ?? defaultLimit],
  );
  return { deliveries: rows.map((row) => deliveryMessage(row, call)) };
}

/** What was sent about an incident that the caller may see, oldest first. */
export async function deliveriesAbout(incidentId: string, limit: number, call: UptimeCall): Promise<DeliveryInit[]> {
  const { rows } = await call.app.postgres.query<Row>(
    `SELECT ${columns} FROM deliveries delivery WHERE incident_id = $1 ORDER BY delivery.created_at, delivery.id LIMIT $2`,
    [incidentId, limit],
  );
  return rows.map((row) => deliveryMessage(row, call));
}

/** Whether credentials may know the channel or monitor `$3`: of the organization `$1`, limited to the websites `$2`. */
const shownChannel = `SELECT 1 FROM notification_channels WHERE ${isShownChannel} AND id = $3`;
const shownMonitor =
  "SELECT 1 FROM monitors WHERE id = $3 AND organization_id = $1 AND ($2::text[] IS NULL OR website_id = ANY($2))";

function deliveryMessage(row: Row, call: UptimeCall): DeliveryInit {
  const { lastError, deliveredAtMs } = row;
  return {
    id: row.id,
    channelId: row.channelId,
    monitorId: row.monitorId ?? "",
    incidentId: row.incidentId ?? "",
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    ...(lastError === null ? {} : { lastError }),
    createdAt: new Date(row.createdAtMs).toISOString(),
    workflowUrl: workflowLink(call, row.workflowId),
    ...(deliveredAtMs === null ? {} : { deliveredAt: new Date(deliveredAtMs).toISOString() }),
  };
}
