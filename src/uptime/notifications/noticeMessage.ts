import { urlWithoutSecrets } from "../manage/urlWithoutSecrets.ts";
import type { NoticeFacts } from "./noticeFacts.ts";

export type NoticeEvent =
  | "incident.opened"
  | "incident.resolved"
  | "incident.escalated"
  | "certificate.expiring"
  | "test";

/** What a channel is told, and the body of a webhook (Standard Webhooks: type, timestamp, data). Times are ISO 8601. */
export type NoticeMessage = {
  readonly type: NoticeEvent;
  readonly timestamp: string;
  readonly data: {
    readonly monitor?: NoticeMonitor;
    readonly incident?: NoticeIncident;
    /** Of incident.escalated: minutes after the opening. */
    readonly afterMinutes?: number;
    readonly certificate?: { readonly expiresAt: string };
    /** Of a test. */
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
  readonly startedAt: string;
  readonly resolvedAt: string | null;
  readonly durationMs: number;
  readonly firstError: string;
  readonly checksAffected: number;
  readonly regions: readonly string[];
};

/** The message of an event at a time (Unix ms). A query of the URL stays out, since it may hold a secret. */
export function noticeMessage(
  type: NoticeEvent,
  atMs: number,
  { monitor, incident }: NoticeFacts,
  more: { readonly afterMinutes?: number; readonly expiryMs?: number } = {},
): NoticeMessage {
  return {
    type,
    timestamp: iso(atMs),
    data: {
      monitor: {
        id: monitor.id,
        name: monitor.options.name,
        url: urlWithoutSecrets(monitor.url),
        websiteId: monitor.websiteId,
      },
      ...(incident === undefined
        ? {}
        : {
            incident: {
              id: incident.id,
              startedAt: iso(incident.startedMs),
              resolvedAt: incident.resolvedMs === null ? null : iso(incident.resolvedMs),
              durationMs: Math.max(0, (incident.resolvedMs ?? atMs) - incident.startedMs),
              firstError: incident.firstError,
              checksAffected: incident.checksAffected,
              regions: incident.regions,
            },
          }),
      ...(more.afterMinutes === undefined ? {} : { afterMinutes: more.afterMinutes }),
      ...(more.expiryMs === undefined ? {} : { certificate: { expiresAt: iso(more.expiryMs) } }),
    },
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
