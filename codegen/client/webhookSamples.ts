import { withAddress } from "../../src/uptime/notifications/message/incidentAddress.ts";
import type {
  NotificationEvent,
  NotificationMessage,
} from "../../src/uptime/notifications/message/notificationMessage.ts";

const monitor = {
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  name: "Shop",
  url: "https://example.com/health",
  websiteId: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
};

const incident = {
  id: `${monitor.id}/1795255140000`,
  startedAt: "2026-11-21T09:59:00.000Z",
  resolvedAt: null,
  durationMs: 60_000,
  firstError: "HTTP status 503, expected 200-299",
  checksAffected: 2,
  regions: ["local"],
};

/** The content of one webhook of each event, as a channel of the kind webhook sends it: what receivers test with. */
const samples: { readonly [Type in NotificationEvent]: NotificationMessage["data"] } = {
  "incident.opened": { monitor, incident },
  "incident.escalated": { monitor, incident: { ...incident, durationMs: 900_000 }, afterMinutes: 15 },
  "incident.resolved": {
    monitor,
    incident: { ...incident, resolvedAt: "2026-11-21T10:20:00.000Z", durationMs: 1_260_000, checksAffected: 21 },
  },
  "certificate.expiring": { monitor, certificate: { expiresAt: "2026-12-05T00:00:00.000Z" } },
  test: { text: "Messages reach the channel Ops." },
};

/** A JSON object with the body of each event, by its type. */
export function webhookSamplesText(): string {
  const messages = (Object.keys(samples) as NotificationEvent[]).map((type) => {
    const message: NotificationMessage = { type, timestamp: "2026-11-21T10:00:00.000Z", data: samples[type] };
    return [type, withAddress(message, "https://analytics.example.com")];
  });
  return `${JSON.stringify(Object.fromEntries(messages), undefined, 2)}\n`;
}
