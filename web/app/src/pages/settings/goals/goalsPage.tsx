import { type Website, WebsiteService } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import type { ClearedWebsiteField } from "../../../../../../packages/client-js/src/valueSets.ts";
import { clientOf } from "../../../api/client.ts";
import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { Funnels } from "./funnels.tsx";
import { GoalsForm } from "./goalsForm.tsx";
import { type OwnGoals, ownGoals, sentGoals, stepName } from "./ownGoals.ts";
import { useKnownNames } from "./useKnownNames.ts";
import "../../../styles/goals.css";
import "../../../styles/more.css";

const websites = clientOf(WebsiteService);

/** /settings/<website>/goals: what visitors should achieve, and the funnels that they go through. */
export function GoalsPage({ website: { id, timezone } }: { readonly website: Website }) {
  const { ownGoals: texts, more } = allTexts();
  const known = useKnownNames(id, timezone);
  const state = useCall(`goals of ${id}`, async (signal) =>
    ownGoals((await websites.getWebsite({ id }, { signal })).website?.goals),
  );
  const save = async (goals: OwnGoals): Promise<void> => {
    // An empty list of funnels changes none of several, so that it has to be said.
    const clear: ClearedWebsiteField[] = goals.funnels.length === 0 ? ["funnels"] : [];
    await websites.updateWebsite({ id, goals: sentGoals(goals), clear });
    state.reload();
  };
  return (
    <Loaded state={state} height="30rem">
      {(own) => (
        <>
          <Section name="goals" title={more.goalKinds.goals} text={more.goalsHint}>
            {may("update") ? (
              <GoalsForm goals={own.goals} known={known} onSave={(goals) => save({ ...own, goals })} />
            ) : (
              <ul>
                {own.goals.map((goal) => (
                  <li key={`${goal.kind} ${goal.value}`}>{stepName(goal)}</li>
                ))}
              </ul>
            )}
          </Section>
          <Section name="funnels" title={texts.funnels} text={texts.funnelsText}>
            <Funnels
              websiteId={id}
              timezone={timezone}
              funnels={own.funnels}
              known={known}
              onSave={(funnels) => save({ ...own, funnels })}
            />
          </Section>
        </>
      )}
    </Loaded>
  );
}
