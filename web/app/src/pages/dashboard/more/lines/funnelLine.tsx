import { type CallState, useCall } from "../../../../api/useCall.ts";
import { t } from "../../../../texts/texts.ts";
import { Loaded } from "../../../../ui/loaded.tsx";
import { useDashboard } from "../../context.ts";
import { partError } from "../../partError.tsx";
import { Funnel } from "../goals/funnel.tsx";
import { type OwnGoals, saveGoals, useOwnGoals } from "../goals/ownGoals.ts";
import { messageOf, rangeOf } from "../goals/steps.ts";
import { funnels } from "../services.ts";
import { Facts } from "./facts.tsx";
import { funnelFacts } from "./funnelFacts.ts";
import { Line } from "./line.tsx";
import { Waiting } from "./said.tsx";

/** The steps of the funnel, and how many take each of them. */
export function FunnelLine({ isWanted }: { readonly isWanted: boolean }) {
  const { websiteId } = useDashboard();
  const { more } = t();
  const own = useOwnGoals(websiteId, isWanted);
  return (
    <Line id="funnel" title={more.goalKinds.funnel} facts={<FunnelSaid own={own} isWanted={isWanted} />}>
      <section class="panel" aria-label={more.goalKinds.funnel} data-panel="funnel">
        <Loaded state={own} failed={partError}>
          {(goals) => (
            <Funnel isWanted steps={goals.funnel} onSave={(funnel) => saveGoals(websiteId, goals, { funnel })} />
          )}
        </Loaded>
      </section>
    </Line>
  );
}

type FunnelSaidProps = { readonly own: CallState<OwnGoals>; readonly isWanted: boolean };

function FunnelSaid({ own, isWanted }: FunnelSaidProps) {
  const { websiteId, scope, refresh, isRangeUnknown } = useDashboard();
  const { panels, lines } = t();
  const steps = own.value?.funnel ?? [];
  const hasSteps = steps.length > 1;
  const answer = useCall(
    JSON.stringify(["funnel", scope, steps]),
    (signal) =>
      funnels.analyzeFunnel(
        { websiteId, timezone: scope.timezone, funnel: { steps: steps.map(messageOf), ...rangeOf(scope) } },
        { signal },
      ),
    { refresh, isWanted: isWanted && hasSteps },
  );
  const error = own.value === undefined ? own.error : answer.value === undefined ? answer.error : undefined;
  if (error !== undefined) return <>{panels.notLoaded}</>;
  if (own.value !== undefined && !hasSteps) return <>{lines.noFunnel}</>;
  if (answer.value === undefined) return <Waiting />;
  if (isRangeUnknown.value) return <>{panels.emptyUnknown}</>;
  return <Facts facts={funnelFacts(answer.value, t())} />;
}
