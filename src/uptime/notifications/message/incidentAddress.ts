import type { NotificationMessage } from "./notificationMessage.ts";

/** The page of an incident in the web app. Its id has the monitor and the time, which are segments of their own. */
export function incidentAddress(baseUrl: string, websiteId: string, incidentId: string): string {
  const segments = ["uptime", websiteId, "incident", ...incidentId.split("/")];
  return `${baseUrl.replace(/\/$/, "")}/${segments.map(encodeURIComponent).join("/")}`;
}

/** A message that leads to the page of its incident. It is added when it is sent, since the address of the service may have changed. */
export function withAddress(message: NotificationMessage, baseUrl: string): NotificationMessage {
  const { monitor, incident } = message.data;
  if (monitor === undefined || incident === undefined) return message;
  const url = incidentAddress(baseUrl, monitor.websiteId, incident.id);
  return { ...message, data: { ...message.data, incident: { ...incident, url } } };
}
