import { isoTime } from "../../../time/utcDay.ts";
import type { NotificationFacts } from "./notificationFacts.ts";

export type NotificationEvent =
  | "incident.opened"
  | "incident.resolved"
  | "incident.escalated"
  | "certificate.expiring"
  | "test";

/**
 * The content of a notification, and the body of a webhook (Standard Webhooks: type, timestamp, data). Times are ISO
 * 8601.
 */
export type NotificationMessage = {
  readonly type: NotificationEvent;
  readonly timestamp: string;
  readonly data: {
    readonly monitor?: NoticeMonitor;
    readonly incident?: NoticeIncident;
    /** For incident.escalated: minutes after the opening. */
    readonly afterMinutes?: number;
    readonly certificate?: { readonly expiresAt: string };
    /** For a test. */
    readonly text?: string;
  };
};

type NoticeMonitor = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly websiteId: string;
};

type NoticeIncident = {
  readonly id: string;
  /** Its page in the web app, from when it is sent on. */
  readonly url?: string;
  readonly startedAt: string;
  readonly resolvedAt: string | null;
  readonly durationMs: number;
  readonly firstError: string;
  readonly checksAffected: number;
  readonly regions: readonly string[];
};

/** The notification of an event at a time (Unix ms). The query of the URL is left out, since it may hold a secret. */
export function notificationMessage(
  type: NotificationEvent,
  atMs: number,
  { monitor, incident }: NotificationFacts,
  more: { readonly afterMinutes?: number; readonly expiryMs?: number } = {},
): NotificationMessage {
  return {
    type,
    timestamp: isoTime(atMs),
    data: {
      monitor: {
        id: monitor.id,
        name: monitor.options.name,
        url: monitor.shownUrl,
        websiteId: monitor.websiteId,
      },
      ...(incident === undefined
        ? {}
        : {
            incident: {
              id: incident.id,
              startedAt: isoTime(incident.startedMs),
              resolvedAt: incident.resolvedMs === null ? null : isoTime(incident.resolvedMs),
              durationMs: Math.max(0, (incident.resolvedMs ?? atMs) - incident.startedMs),
              firstError: incident.firstError,
              checksAffected: incident.checksAffected,
              regions: incident.regions,
            },
          }),
      ...(more.afterMinutes === undefined ? {} : { afterMinutes: more.afterMinutes }),
      ...(more.expiryMs === undefined ? {} : { certificate: { expiresAt: isoTime(more.expiryMs) } }),
    },
  };
}
