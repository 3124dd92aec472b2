import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useAnswer } from "../../../../api/useAnswer.ts";
import { useCall } from "../../../../api/useCall.ts";
import { formatCount, formatDuration, formatPercent, formatShortCount } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { BarTable } from "../../../../ui/barTable.tsx";
import { Loaded } from "../../../../ui/loaded.tsx";
import { useOnScreen } from "../../../../ui/useOnScreen.ts";
import { useDashboard } from "../../context.ts";
import { funnels, websites } from "../services.ts";
import { messageOf, rangeOf, type Step, stepsOf } from "./steps.ts";
import { StepsForm } from "./stepsForm.tsx";

const kinds = ["goals", "funnel"] as const;

/** What visitors achieve: how many reach each goal, and how many get through the steps of a funnel. */
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
type Own = { readonly goals: Step[]; readonly funnel: Step[] };

type OnSave = (steps: Step[]) => Promise<void>;

const shownGoals = 6;

/** Without goals of one's own, the most frequent custom events. */
function GoalList({
  isWanted,
  own,
  onSave,
}: {
  readonly isWanted: boolean;
  readonly own: Step[];
  readonly onSave: OnSave;
}) {
  const { websiteId, scope, refresh } = useDashboard();
  const { more: texts } = t();
  const events = useAnswer(
    { ...scope, limit: shownGoals, parameters: ["events"] },
    { refresh, isWanted: isWanted && own.length === 0 },
  );
  const usual = (events.rows ?? []).map(({ name }): Step => ({ kind: "event", value: name }));
  const goals = own.length > 0 ? own : usual;
  const isKnown = own.length > 0 || events.rows !== undefined || events.error !== undefined;
  const answer = useCall(
    JSON.stringify(["goals", scope, goals, isKnown]),
    async (signal) =>
      goals.length === 0
        ? { goals: [] }
        : await funnels.analyzeGoals(
            {
              websiteId,
              timezone: scope.timezone,
              query: { goals: goals.map(messageOf), ...rangeOf(scope) },
            },
            { signal },
          ),
    { refresh, isWanted: isWanted && isKnown },
  );
  return (
    <>
      <div class="panel-body">
        <Loaded state={answer} height="18rem" empty={texts.noGoals} isEmpty={(found) => found.goals.length === 0}>
          {(found) => (
            <BarTable
              rows={found.goals}
              head={texts.goal}
              label={({ name }) => name}
              rowKey={({ name }) => name}
              columns={[
                { name: texts.converted, value: ({ total }) => total?.converted ?? 0 },
                { name: texts.conversionRate, value: ({ total }) => total?.conversionRate ?? 0, format: formatPercent },
              ]}
            />
          )}
        </Loaded>
      </div>
      <StepsForm title={texts.editGoals} hint={texts.goalsHint} least={0} most={20} steps={own} onSave={onSave} />
    </>
  );
}

/** How many visitors take each step, in its order, within a week. */
function Funnel({
  isWanted,
  steps,
  onSave,
}: {
  readonly isWanted: boolean;
  readonly steps: Step[];
  readonly onSave: OnSave;
}) {
  const { websiteId, scope, refresh } = useDashboard();
  const { more: texts } = t();
  const answer = useCall(
    JSON.stringify(["funnel", scope, steps]),
    async (signal) =>
      steps.length < 2
        ? undefined
        : await funnels.analyzeFunnel(
            { websiteId, timezone: scope.timezone, funnel: { steps: steps.map(messageOf), ...rangeOf(scope) } },
            { signal },
          ),
    { refresh, isWanted: isWanted && steps.length > 1 },
  );
  return (
    <>
      <div class="panel-body">
        {steps.length < 2 ? (
          <p class="panel-empty">{texts.noFunnel}</p>
        ) : (
          <Loaded state={answer} height="18rem">
            {(found) => (
              <>
                <BarTable
                  rows={(found?.steps ?? []).map((step, index) => ({ ...step, index }))}
                  head={texts.step}
                  label={({ name, index }) => `${index + 1}. ${name}`}
                  rowKey={({ index }) => String(index)}
                  columns={[
                    { name: texts.visitors, value: ({ visitors }) => visitors, format: formatShortCount },
                    { name: texts.ofFirst, value: ({ conversionRate }) => conversionRate, format: formatPercent },
                  ]}
                />
                <ul class="funnel-losses">
                  {(found?.steps ?? []).slice(1).map((step) => (
                    <li key={step.name} class="field-hint">
                      {texts.lost(
                        step.name,
                        formatCount(step.dropped),
                        formatPercent(step.dropOffRate),
                        step.medianSeconds === undefined ? undefined : formatDuration(step.medianSeconds),
                      )}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Loaded>
        )}
      </div>
      <StepsForm title={texts.editFunnel} hint={texts.funnelHint} least={2} most={10} steps={steps} onSave={onSave} />
    </>
  );
}
