import type { WebsitesUptimeRow } from "../../../../../packages/client-js/src/rows.ts";

/** The worst first: the state of a website is the first of these that one of its monitors has. */
const worstFirst = ["down", "degraded", "unknown", "maintenance", "up", "paused"] as const;

/** An open incident. */
export type OpenIncident = {
  readonly id: string;
  readonly monitorId: string;
  readonly monitorName: string;
  /** ISO 8601. */
  readonly startedAt: string;
};

/** The state of a website's monitors together, and how many of them have it. */
export type SiteState = {
  /** `none`: it has no monitor. */
  readonly state: (typeof worstFirst)[number] | "none";
  /** The monitors that have the state. */
  readonly count: number;
  /** The monitors that count: paused ones only if there are no others. */
  readonly total: number;
  readonly incidents: readonly OpenIncident[];
};

/** Reads a row of the answer. A state that a later version adds is unknown. */
export function siteState({ state, in_state, monitors, incidents }: Omit<WebsitesUptimeRow, "website_id">): SiteState {
  const known = [...worstFirst, "none" as const].find((name) => name === state) ?? "unknown";
  return { state: known, count: in_state, total: monitors, incidents: (incidents ?? []).flatMap(openIncident) };
}

function openIncident(value: unknown): OpenIncident[] {
  if (typeof value !== "object" || value === null) return [];
  const [id, monitorId, monitorName, startedAt] = ["id", "monitor_id", "monitor_name", "started_at"].map((name) =>
    String(Reflect.get(value, name) ?? ""),
  );
  if (id === undefined || monitorId === undefined || monitorName === undefined || startedAt === undefined) return [];
  return [{ id, monitorId, monitorName, startedAt }];
}

/** The place of a state in a list of the worst first. Without monitors or an answer it comes last. */
export function severityOf(state: SiteState | undefined): number {
  const names: readonly string[] = worstFirst;
  const place = names.indexOf(state?.state ?? "");
  return place < 0 ? names.length : place;
}
