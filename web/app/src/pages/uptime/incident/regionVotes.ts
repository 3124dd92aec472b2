import type { Check } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";

type Vote = Pick<Check, "scheduledAt" | "probeRegion" | "status">;

/** What the regions of a monitor said at a slot. Who did not answer has no vote. */
export type RegionVotes = {
  readonly down: readonly string[];
  readonly answered: readonly string[];
  readonly silent: readonly string[];
};

/** The votes of the last slot that was due by an instant; undefined where none is known. */
export function regionVotes(
  checks: readonly Vote[],
  regions: readonly string[],
  untilMs: number,
): RegionVotes | undefined {
  const due = checks.filter(({ scheduledAt }) => Date.parse(scheduledAt) <= untilMs);
  const last = Math.max(...due.map(({ scheduledAt }) => Date.parse(scheduledAt)));
  const ofSlot = due.filter(({ scheduledAt }) => Date.parse(scheduledAt) === last);
  if (ofSlot.length === 0) return undefined;
  const answered = ofSlot.map(({ probeRegion }) => probeRegion);
  return {
    down: ofSlot.filter(({ status }) => status === "down").map(({ probeRegion }) => probeRegion),
    answered,
    silent: regions.filter((region) => !answered.includes(region)),
  };
}
