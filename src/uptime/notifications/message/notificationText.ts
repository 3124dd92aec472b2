import type { NotificationMessage } from "./notificationMessage.ts";

/** A notification as text: a title and the lines below it. */
export type NotificationText = { readonly title: string; readonly lines: readonly string[] };

/** The text of a notification for e-mails and chats. */
export function notificationText({ type, data }: NotificationMessage): NotificationText {
  const { monitor, incident, certificate } = data;
  if (monitor === undefined) return { title: "Test message from Lookout", lines: [data.text ?? ""] };
  const name = monitor.name.replace(/\s+/g, " ");
  if (certificate !== undefined)
    return {
      title: `${name}: the certificate expires soon`,
      lines: [monitor.url, `It ends at ${certificate.expiresAt}. Renew it before then.`],
    };
  const state =
    type === "incident.resolved" ? "is up again" : type === "incident.escalated" ? "is still down" : "is down";
  return {
    title: `${name} ${state}`,
    lines: [monitor.url, ...(incident === undefined ? [] : incidentLines(incident))],
  };
}

function incidentLines(incident: NonNullable<NotificationMessage["data"]["incident"]>): string[] {
  const { startedAt, resolvedAt, durationMs, firstError, regions, id, url } = incident;
  return [
    `Error: ${firstError}`,
    resolvedAt === null
      ? `Down since ${startedAt}`
      : `Down from ${startedAt} to ${resolvedAt} (${duration(durationMs)})`,
    ...(regions.length === 0 ? [] : [`Seen from ${regions.join(", ")}`]),
    url ?? `Incident ${id}`,
  ];
}

/** Such as 1 h 5 min. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
