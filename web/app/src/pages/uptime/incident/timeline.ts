import type { Delivery } from "../../../../../../packages/client-js/src/gen/lookout/v1/notification_channels_pb.ts";
import type { StatusReport } from "../../../../../../packages/client-js/src/gen/lookout/v1/status_report_pb.ts";
import type {
  Check,
  GetIncidentResponse,
  Incident,
  IncidentNote,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { type RegionVotes, regionVotes } from "./regionVotes.ts";

type Sent = Pick<Delivery, "channelId" | "event" | "status" | "attempts" | "createdAt" | "lastError">;

/** One thing that happened. Times are Unix ms. */
export type TimelineEntry = { readonly atMs: number } & (
  | { readonly kind: "failed"; readonly error: string; readonly region: string | undefined }
  | { readonly kind: "down"; readonly votes: RegionVotes | undefined }
  | { readonly kind: "told"; readonly event: string; readonly deliveries: readonly Sent[] }
  | { readonly kind: "acknowledged"; readonly by: string }
  | { readonly kind: "note"; readonly id: string; readonly by: string; readonly text: string }
  | { readonly kind: "reported"; readonly title: string; readonly status: string; readonly pageId: string }
  | { readonly kind: "up"; readonly votes: RegionVotes | undefined }
);

/** Among what happened at the same instant, causes come before effects. */
const order = ["failed", "down", "up", "told", "acknowledged", "note", "reported"] as const;

/** Everything that is known of an incident, in the order in which it happened. */
export function timelineOf(answer: {
  readonly incident: Incident;
  readonly regions: readonly string[];
  readonly openedAt: string | undefined;
  readonly checks: readonly Check[];
  readonly deliveries: readonly Sent[];
  readonly reports: readonly StatusReport[];
  readonly notes: readonly Pick<IncidentNote, "id" | "text" | "writtenBy" | "writtenAt">[];
}): TimelineEntry[] {
  const { incident, regions, openedAt, checks, deliveries, reports, notes } = answer;
  const { startedAt, resolvedAt, acknowledgedAt, acknowledgedBy } = incident;
  const startedMs = Date.parse(startedAt);
  const first = checks.find(({ scheduledAt, status }) => Date.parse(scheduledAt) >= startedMs && status === "down");
  const votesAt = (instant: string) => regionVotes(checks, regions, Date.parse(instant));
  const entries: TimelineEntry[] = [
    {
      kind: "failed",
      atMs: startedMs,
      error: first?.error ?? incident.firstError,
      region: first?.probeRegion ?? (incident.regions.length === 1 ? incident.regions[0] : undefined),
    },
    ...(openedAt === undefined
      ? []
      : [{ kind: "down" as const, atMs: Date.parse(openedAt), votes: votesAt(openedAt) }]),
    ...toldEntries(deliveries),
    ...(acknowledgedAt === undefined
      ? []
      : [{ kind: "acknowledged" as const, atMs: Date.parse(acknowledgedAt), by: acknowledgedBy }]),
    ...notes.map(({ id, text, writtenBy, writtenAt }) => ({
      kind: "note" as const,
      atMs: Date.parse(writtenAt),
      id,
      by: writtenBy,
      text,
    })),
    ...reports.flatMap(({ title, pageId, updates }) =>
      updates.map(({ postedAt, status }) => ({
        kind: "reported" as const,
        atMs: Date.parse(postedAt),
        title,
        status,
        pageId,
      })),
    ),
    ...(resolvedAt === undefined
      ? []
      : [{ kind: "up" as const, atMs: Date.parse(resolvedAt), votes: votesAt(resolvedAt) }]),
  ];
  return entries.toSorted((one, other) => one.atMs - other.atMs || order.indexOf(one.kind) - order.indexOf(other.kind));
}

/** Messages about the same event that were planned within a second are one entry. */
function toldEntries(deliveries: readonly Sent[]): TimelineEntry[] {
  const groups = Map.groupBy(
    deliveries,
    ({ event, createdAt }) => `${event} ${Math.floor(Date.parse(createdAt) / 1_000)}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [{ kind: "told" as const, atMs: Date.parse(first.createdAt), event: first.event, deliveries: group }];
  });
}

/** The answer of the service as the timeline needs it. */
export function timelineOfAnswer(answer: GetIncidentResponse): TimelineEntry[] {
  const { incident, monitor, ...known } = answer;
  return incident === undefined
    ? []
    : timelineOf({ ...known, openedAt: known.openedAt, incident, regions: monitor?.regions ?? [] });
}
