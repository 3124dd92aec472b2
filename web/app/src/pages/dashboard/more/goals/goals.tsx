import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useCall } from "../../../../api/useCall.ts";
import { t } from "../../../../texts/texts.ts";
import { Loaded } from "../../../../ui/loaded.tsx";
import { useOnScreen } from "../../../../ui/useOnScreen.ts";
import { useDashboard } from "../../context.ts";
import { websites } from "../services.ts";
import { Funnel } from "./funnel.tsx";
import { GoalList } from "./goalList.tsx";
import { type OwnGoal, stepsOf } from "./steps.ts";

const kinds = ["goals", "funnel"] as const;

/** How many visitors reach each goal, and how many get through the steps of a funnel. */
export function Goals() {
  const { websiteId: id } = useDashboard();
  const { more: texts } = t();
  const kind = useSignal<(typeof kinds)[number]>("goals");
  const element = useRef<HTMLElement>(null);
  const isWanted = useOnScreen(element);
  const state = useCall(
    `goals of ${id}`,
    async (signal) => {
      const { goals } = (await websites.getWebsite({ id }, { signal })).website ?? {};
      return { goals: stepsOf(goals?.goals ?? []), funnel: stepsOf(goals?.funnel ?? []) };
    },
    { isWanted },
  );
  const save = async (own: Own, more: Partial<Own>): Promise<void> => {
    await websites.updateWebsite({ id, goals: { ...own, ...more } });
    state.reload();
  };
  return (
    <section class="panel" ref={element} aria-labelledby="panel-goals" data-panel="goals">
      <div class="panel-head">
        <h2 id="panel-goals">{texts.goals}</h2>
        <div class="tabs">
          {kinds.map((name) => (
            <button
              key={name}
              type="button"
              class="tab"
              aria-pressed={kind.value === name}
              onClick={() => {
                kind.value = name;
              }}
            >
              {texts.goalKinds[name]}
            </button>
          ))}
        </div>
      </div>
      <Loaded state={state} height="18rem">
        {(own) =>
          kind.value === "goals" ? (
            <GoalList isWanted={isWanted} own={own.goals} onSave={(goals) => save(own, { goals })} />
          ) : (
            <Funnel isWanted={isWanted} steps={own.funnel} onSave={(funnel) => save(own, { funnel })} />
          )
        }
      </Loaded>
    </section>
  );
}

/** The goals and the funnel of the website. */
type Own = { readonly goals: OwnGoal[]; readonly funnel: OwnGoal[] };
