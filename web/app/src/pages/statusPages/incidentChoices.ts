import type { StatusPageIncident } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { formatInstant } from "../../texts/formatTime.ts";

export type KnownIncident = Pick<StatusPageIncident, "id" | "monitorName" | "startedAt" | "status">;

type ChoiceTexts = {
  readonly noIncident: string;
  readonly incident: (monitor: string, time: string, isOngoing: boolean) => string;
};

/** The incidents that a report may explain, by their ids: ongoing ones first, then the newest. The first choice is none. */
export function incidentChoices(
  incidents: readonly KnownIncident[],
  { noIncident, incident }: ChoiceTexts,
): Readonly<Record<string, string>> {
  const isOngoing = ({ status }: KnownIncident): boolean => status === "ongoing";
  const ordered = incidents.toSorted(
    (one, other) =>
      Number(isOngoing(other)) - Number(isOngoing(one)) || Date.parse(other.startedAt) - Date.parse(one.startedAt),
  );
  return Object.fromEntries([
    ["", noIncident],
    ...ordered.map((of) => [of.id, incident(of.monitorName, formatInstant(of.startedAt, "UTC"), isOngoing(of))]),
  ]);
}
