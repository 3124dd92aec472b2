import type { AnalyzeFunnelResponse } from "../../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import type { Scope } from "../../view/question.ts";
import { funnels } from "../services.ts";
import { messageOf, type OwnGoal, rangeOf } from "./steps.ts";

/** How many visitors take each step of a funnel in the range. */
export async function askFunnel(
  steps: readonly OwnGoal[],
  scope: Scope,
  signal: AbortSignal,
): Promise<AnalyzeFunnelResponse> {
  const { websiteId, timezone } = scope;
  return await funnels.analyzeFunnel(
    { websiteId, timezone, funnel: { steps: steps.map(messageOf), ...rangeOf(scope) } },
    { signal },
  );
}
