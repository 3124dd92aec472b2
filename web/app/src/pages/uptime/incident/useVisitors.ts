import type { Incident } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { may } from "../../../api/session.ts";
import { type CallState, useCall } from "../../../api/useCall.ts";
import { askVisitors, type MeantimeVisitors } from "./askVisitors.ts";

/** Visitors around an incident. Of one that lasts they are asked for once, until now. */
export function useVisitors(
  { id: websiteId, timezone, goals }: Website,
  { id, startedAt, resolvedAt }: Incident,
): CallState<MeantimeVisitors> {
  const hasGoal = (goals?.goals.length ?? 0) > 0;
  return useCall(
    `visitors of ${id} ${resolvedAt}`,
    (signal) => {
      const untilMs = resolvedAt === undefined ? Date.now() : Date.parse(resolvedAt);
      const incident = { fromMs: Date.parse(startedAt), untilMs };
      return askVisitors({ websiteId, timezone, incident, hasGoal }, signal);
    },
    { isWanted: may("read:data") },
  );
}
