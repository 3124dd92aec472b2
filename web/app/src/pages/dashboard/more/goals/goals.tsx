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
import { funnels } from "../services.ts";
import { messageOf, rangeOf, type Step, storedSteps, storeSteps } from "./steps.ts";
import { StepsForm } from "./stepsForm.tsx";

const kinds = ["goals", "funnel"] as const;

/** What visitors achieve: how many reach each goal, and how many get through the steps of a funnel. */
export function Goals() {
  const { more: texts } = t();
  const kind = useSignal<(typeof kinds)[number]>("goals");
  const element = useRef<HTMLElement>(null);
  const isWanted = useOnScreen(element);
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
      {kind.value === "goals" ? <GoalList isWanted={isWanted} /> : <Funnel isWanted={isWanted} />}
    </section>
  );
}

const shownGoals = 6;

/** Without goals of one's own, the most frequent custom events. */
function GoalList({ isWanted }: { readonly isWanted: boolean }) {
  const { websiteId, scope, refresh } = useDashboard();
  const { more: texts } = t();
  const own = useSignal(storedSteps(websiteId, "goals"));
  const events = useAnswer(
    { ...scope, limit: shownGoals, parameters: ["events"] },
    { refresh, isWanted: isWanted && own.value.length === 0 },
  );
  const usual = (events.rows ?? []).map(({ name }): Step => ({ kind: "event", value: name }));
  const goals = own.value.length > 0 ? own.value : usual;
  const isKnown = own.value.length > 0 || events.rows !== undefined || events.error !== undefined;
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
      <div class="panel-foot">
        <StepsForm
          title={texts.editGoals}
          hint={texts.goalsHint}
          least={0}
          most={20}
          steps={own.value}
          onSave={(steps) => {
            own.value = storeSteps(websiteId, "goals", steps);
          }}
        />
      </div>
    </>
  );
}

/** How many visitors take each step, in its order, within a week. */
function Funnel({ isWanted }: { readonly isWanted: boolean }) {
  const { websiteId, scope, refresh } = useDashboard();
  const { more: texts } = t();
  const own = useSignal(storedSteps(websiteId, "funnel"));
  const steps = own.value;
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
      <div class="panel-foot">
        <StepsForm
          title={texts.editFunnel}
          hint={texts.funnelHint}
          least={2}
          most={10}
          steps={steps}
          onSave={(next) => {
            own.value = storeSteps(websiteId, "funnel", next);
          }}
        />
      </div>
    </>
  );
}
