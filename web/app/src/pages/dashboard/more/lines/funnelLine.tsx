import { isAudienceOnly } from "../../../../api/audienceOnly.ts";
import { may } from "../../../../api/session.ts";
import type { CallState } from "../../../../api/useCall.ts";
import { useCall } from "../../../../api/useCall.ts";
import { hrefTo } from "../../../../router/router.ts";
import { t } from "../../../../texts/texts.ts";
import { Loaded } from "../../../../ui/loaded.tsx";
import { useDashboard } from "../../context.ts";
import { partError } from "../../partError.tsx";
import { askFunnel } from "../goals/askFunnel.ts";
import { Funnel } from "../goals/funnel.tsx";
import { type OwnFunnel, type OwnGoals, useOwnGoals } from "../goals/ownGoals.ts";
import { Facts } from "./facts.tsx";
import { funnelFacts, funnelsFacts } from "./funnelFacts.ts";
import { Line } from "./line.tsx";
import { Waiting } from "./said.tsx";

/** Of how many funnels the closed line says how many get through. */
const saidFunnels = 3;

/** The funnels of the website: how many get through while it is closed, each with its steps when it is open. */
export function FunnelLine({ isWanted }: { readonly isWanted: boolean }) {
  const { websiteId } = useDashboard();
  const { more } = t();
  const own = useOwnGoals(websiteId, isWanted);
  const title = (own.value?.funnels.length ?? 0) > 1 ? more.funnels : more.goalKinds.funnel;
  return (
    <Line id="funnel" title={title} facts={<FunnelsSaid own={own} isWanted={isWanted} />}>
      <section class="panel" aria-label={title} data-panel="funnel">
        <Loaded state={own} failed={partError}>
          {({ funnels }) => (
            <div class="panel-body">
              {funnels.length === 0 && <p class="panel-empty">{more.noFunnel}</p>}
              {funnels.map((funnel) => (
                <Funnel key={funnel.name} funnel={funnel} />
              ))}
            </div>
          )}
        </Loaded>
        <div class="panel-foot">
          <a class="button button-plain" href={hrefTo(["settings", websiteId, "goals"])}>
            {own.value?.funnels.length === 0 && may("update") ? more.editFunnel : more.toFunnels}
          </a>
        </div>
      </section>
    </Line>
  );
}

type FunnelsSaidProps = { readonly own: CallState<OwnGoals>; readonly isWanted: boolean };

function FunnelsSaid({ own, isWanted }: FunnelsSaidProps) {
  const { scope, refresh, isRangeUnknown } = useDashboard();
  const { panels, lines } = t();
  const funnels: readonly OwnFunnel[] = own.value?.funnels ?? [];
  const said = funnels.slice(0, saidFunnels);
  const answer = useCall(
    JSON.stringify(["funnels", scope, said]),
    (signal) => Promise.all(said.map(({ steps }) => askFunnel(steps, scope, signal))),
    { refresh, isWanted: isWanted && said.length > 0 },
  );
  const error = own.value === undefined ? own.error : answer.value === undefined ? answer.error : undefined;
  if (error !== undefined) return <>{isAudienceOnly(error) ? lines.audienceOnly : panels.notLoaded}</>;
  if (own.value !== undefined && funnels.length === 0) return <>{lines.noFunnel}</>;
  const [only] = answer.value ?? [];
  if (answer.value === undefined || only === undefined) return <Waiting />;
  if (isRangeUnknown.value) return <>{panels.emptyUnknown}</>;
  if (funnels.length === 1) return <Facts facts={funnelFacts(only, t())} />;
  const named = said.map(({ name }, index) => ({ name, conversionRate: answer.value?.[index]?.conversionRate }));
  return <Facts facts={funnelsFacts(named, funnels.length - said.length, t())} />;
}
