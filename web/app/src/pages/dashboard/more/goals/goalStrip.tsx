import { useSignal } from "@preact/signals";
import { may } from "../../../../api/session.ts";
import { useAnswer } from "../../../../api/useAnswer.ts";
import { useCall } from "../../../../api/useCall.ts";
import { comparedTime } from "../../../../figures/comparedTime.ts";
import { hrefTo } from "../../../../router/router.ts";
import { t } from "../../../../texts/texts.ts";
import { useDashboard } from "../../context.ts";
import { PartTools } from "../../copy/partTools.tsx";
import { PartError } from "../../partError.tsx";
import { comparisonIn } from "../../view/comparison.ts";
import { compared, unfiltered } from "../../view/question.ts";
import { askGoals } from "./askGoals.ts";
import { GoalTile } from "./goalTile.tsx";
import { useOwnGoals } from "./ownGoals.ts";
import type { OwnGoal } from "./steps.ts";
import "../../../../styles/goalStrip.css";

/** How many goals have a place in the row. */
const fewGoals = 4;

/** The row below the chart: the website's goals or, without any, the most frequent custom events. A click chooses one. */
export function GoalStrip() {
  const { websiteId, view, scope, refresh, hasFigures } = useDashboard();
  const { more: texts } = t();
  const showsAll = useSignal(false);
  const isWanted = hasFigures.value;
  const own = useOwnGoals(websiteId, isWanted);
  const hasNone = own.value?.goals.length === 0;
  // Ask without filters, so that the goals stay the same and those not reached show 0.
  const events = useAnswer(
    { ...unfiltered(scope), limit: fewGoals, parameters: ["events"] },
    { refresh, isWanted: isWanted && hasNone },
  );
  const usual = events.rows?.map(({ name }): OwnGoal => ({ kind: "event", value: name }));
  const goals = hasNone ? usual : own.value?.goals;
  const answer = useCall(
    JSON.stringify(["goals", scope, comparisonIn(view), goals ?? null]),
    async (signal) => await askGoals(goals ?? [], { scope, view }, signal),
    { refresh, isWanted: isWanted && goals !== undefined },
  );
  const { rows, comparison } = answer.value ?? {};
  const failed = [own, answer].find(({ value, error }) => value === undefined && error !== undefined);
  const error = failed?.error ?? (events.rows === undefined ? events.error : undefined);
  const time = comparison === undefined ? "" : comparedTime(comparison, scope.timezone, t());
  const shown = showsAll.value ? rows : rows?.slice(0, fewGoals);
  return (
    <section class="panel goals" aria-label={texts.goalKinds.goals} data-panel="goals" aria-busy={answer.isLoading}>
      {error !== undefined ? (
        <PartError error={error} onRetry={failed?.reload ?? events.retry} />
      ) : shown === undefined ? (
        <div class="goals-waiting waiting" />
      ) : shown.length === 0 ? (
        <p class="goals-none">{texts.noGoals}</p>
      ) : (
        <ul class="goal-tiles">
          {shown.map((row) => (
            <GoalTile key={`${row.goal.kind} ${row.goal.value}`} row={row} time={time} />
          ))}
        </ul>
      )}
      {own.value !== undefined && (
        <div class="goals-tools">
          {(rows ?? []).length > fewGoals && (
            <button
              type="button"
              class="button button-plain"
              aria-expanded={showsAll.value}
              onClick={() => {
                showsAll.value = !showsAll.value;
              }}
            >
              {showsAll.value ? texts.fewGoals : texts.allGoals((rows ?? []).length)}
            </button>
          )}
          {may("update") && (
            <a class="button button-plain" href={hrefTo(["settings", websiteId, "goals"])}>
              {texts.editGoals}
            </a>
          )}
          {/* The most frequent events are not goals of the website, so no query counts them. */}
          {!hasNone && (
            <PartTools
              name={texts.goalKinds.goals}
              question={{ ...compared(scope, view), parameters: ["goal_conversions"] }}
            />
          )}
        </div>
      )}
    </section>
  );
}
