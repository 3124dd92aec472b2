import type {
  GetStatusPageResponse,
  StatusPageIncident,
} from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";

/** The state of a website's monitors together, and how many of them have it. */
export type SiteState = {
  /** `none`: it has no monitor. */
  readonly state: (typeof worstFirst)[number] | "none";
  /** The monitors that have the state. */
  readonly count: number;
  /** The monitors that count: paused ones only if there are no others. */
  readonly total: number;
  readonly incidents: readonly StatusPageIncident[];
};

/** The state of a website is the first of these that one of its monitors has. */
const worstFirst = ["down", "degraded", "unknown", "maintenance", "up", "paused"] as const;

/** Reads the status page of a website. */
export function siteState({ monitors, incidents }: Pick<GetStatusPageResponse, "monitors" | "incidents">): SiteState {
  const running = monitors.filter(({ status }) => status !== "paused");
  const counted = running.length === 0 ? monitors : running;
  const open = incidents.filter(({ status }) => status === "ongoing");
  if (counted.length === 0) return { state: "none", count: 0, total: 0, incidents: open };
  // A state that a later version adds is unknown.
  const states = counted.map(({ status }) => worstFirst.find((known) => known === status) ?? "unknown");
  const state = worstFirst.find((known) => states.includes(known)) ?? "unknown";
  return { state, count: states.filter((one) => one === state).length, total: counted.length, incidents: open };
}

/** The place of a state in a list of the worst first. Without monitors or an answer it comes last. */
export function severityOf(state: SiteState | undefined): number {
  const names: readonly string[] = worstFirst;
  const place = names.indexOf(state?.state ?? "");
  return place < 0 ? names.length : place;
}
