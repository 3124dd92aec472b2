/**
 * What the body of a webhook holds (src/uptime/notifications/message/notificationMessage.ts), for the generators of all languages and for
 * tests of receivers. On the wire each event is `{"type", "timestamp", "data"}`.
 */
export type WebhookEventType = {
  /** As on the wire, such as `incident.opened`. */
  readonly type: string;
  /** The name of its type in code, such as `IncidentOpened`. */
  readonly name: string;
  readonly comment: string;
  /** The members of `data`. All of them are always there. */
  readonly data: readonly WebhookField[];
};

/** An object within `data`. */
export type WebhookObject = {
  readonly name: string;
  readonly comment: string;
  readonly fields: readonly WebhookField[];
};

/** A member. `example` is its value in examples, in the wire's form. */
export type WebhookField = {
  /** As on the wire, in lower camel case. */
  readonly name: string;
  readonly note: string;
  readonly mayBeNull?: true;
} & (
  | {
      /** text; time: a text, ISO 8601 in UTC; count: a whole number; texts: a list. */
      readonly kind: "text" | "time" | "count" | "texts";
      readonly example: string | number | readonly string[];
    }
  | { readonly kind: "object"; readonly object: WebhookObject }
);

/** When the examples were sent. */
const exampleTimestamp = "2026-11-21T10:00:00.000Z";

const monitor: WebhookObject = {
  name: "WebhookMonitor",
  comment: "The monitor that an event is about.",
  fields: [
    { name: "id", note: "Identifier.", kind: "text", example: "0f8fad5b-d9cb-469f-a165-70867728950e" },
    { name: "name", note: "Display name.", kind: "text", example: "Shop" },
    {
      name: "url",
      note: "The address that it checks, without its query.",
      kind: "text",
      example: "https://example.com/health",
    },
    {
      name: "websiteId",
      note: "Its website.",
      kind: "text",
      example: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    },
  ],
};

const incident: WebhookObject = {
  name: "WebhookIncident",
  comment: "An incident, as it was when the event happened.",
  fields: [
    { name: "id", note: "Identifier.", kind: "text", example: "0f8fad5b-d9cb-469f-a165-70867728950e/1795255140000" },
    { name: "startedAt", note: "When the first check failed.", kind: "time", example: "2026-11-21T09:59:00.000Z" },
    {
      name: "resolvedAt",
      note: "When it ended; null while it lasts.",
      kind: "time",
      mayBeNull: true,
      example: "2026-11-21T10:00:00.000Z",
    },
    { name: "durationMs", note: "How long it lasted until the event, ms.", kind: "count", example: 60_000 },
    {
      name: "firstError",
      note: "The error of the first failed check.",
      kind: "text",
      example: "HTTP status 503, expected 200-299",
    },
    { name: "checksAffected", note: "Checks that failed.", kind: "count", example: 2 },
    { name: "regions", note: "Regions whose checks failed.", kind: "texts", example: ["local"] },
    {
      name: "url",
      note: "Its page in the web app.",
      kind: "text",
      example:
        "https://analytics.example.com/uptime/7c9e6679-7425-40de-944b-e07fc1f90ae7/incident/0f8fad5b-d9cb-469f-a165-70867728950e/1795255140000",
    },
  ],
};

const certificate: WebhookObject = {
  name: "WebhookCertificate",
  comment: "A certificate of a monitor's address.",
  fields: [{ name: "expiresAt", note: "When it ends.", kind: "time", example: "2026-12-05T00:00:00.000Z" }],
};

/** All objects, each before its first use. */
export const webhookObjects: readonly WebhookObject[] = [monitor, incident, certificate];

const ofMonitor: WebhookField = { name: "monitor", note: "The monitor.", kind: "object", object: monitor };
const ofIncident: WebhookField = { name: "incident", note: "The incident.", kind: "object", object: incident };

/** All events. A later version of the service may send others. */
export const webhookEvents: readonly WebhookEventType[] = [
  {
    type: "incident.opened",
    name: "IncidentOpened",
    comment: "So many checks failed that an incident is open.",
    data: [ofMonitor, ofIncident],
  },
  {
    type: "incident.escalated",
    name: "IncidentEscalated",
    comment: "An incident lasts, and the time of a later step of the escalation has come.",
    data: [
      ofMonitor,
      ofIncident,
      { name: "afterMinutes", note: "The step's time after the opening, minutes.", kind: "count", example: 15 },
    ],
  },
  {
    type: "incident.resolved",
    name: "IncidentResolved",
    comment: "An incident is over.",
    data: [ofMonitor, ofIncident],
  },
  {
    type: "certificate.expiring",
    name: "CertificateExpiring",
    comment: "A certificate ends soon.",
    data: [ofMonitor, { name: "certificate", note: "The certificate.", kind: "object", object: certificate }],
  },
  {
    type: "test",
    name: "ChannelTest",
    comment: "Someone tests the channel.",
    data: [{ name: "text", note: "A sentence.", kind: "text", example: "Messages reach the channel Ops." }],
  },
];

/** An example of an event, in the form of the wire. */
export function webhookExample({ type, data }: WebhookEventType): Readonly<Record<string, unknown>> {
  return { type, timestamp: exampleTimestamp, data: exampleOf(data, type === "incident.resolved") };
}

/** The examples of members. What may be null is null unless the event says that all is over. */
function exampleOf(fields: readonly WebhookField[], isOver: boolean): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.map((field) => {
      if (field.kind === "object") return [field.name, exampleOf(field.object.fields, isOver)];
      return [field.name, field.mayBeNull && !isOver ? null : field.example];
    }),
  );
}

/** A JSON object with an example of each event, by its type: what receivers in other languages test with. */
export function webhookExamplesText(): string {
  const examples = webhookEvents.map((event) => [event.type, webhookExample(event)]);
  return `${JSON.stringify(Object.fromEntries(examples), undefined, 2)}\n`;
}
