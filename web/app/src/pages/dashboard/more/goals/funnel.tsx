import { useCall } from "../../../../api/useCall.ts";
import { formatCount, formatDuration, formatPercent, formatShortCount } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { BarTable } from "../../../../ui/barTable.tsx";
import { Loaded } from "../../../../ui/loaded.tsx";
import { useDashboard } from "../../context.ts";
import { partError } from "../../partError.tsx";
import { askFunnel } from "./askFunnel.ts";
import type { OwnFunnel } from "./ownGoals.ts";

/** A funnel by its name: how many visitors take each step, in order, within a week. */
export function Funnel({ funnel: { name, steps } }: { readonly funnel: OwnFunnel }) {
  const { scope, refresh, isRangeUnknown } = useDashboard();
  const { more: texts } = t();
  const answer = useCall(JSON.stringify(["funnel", scope, steps]), (signal) => askFunnel(steps, scope, signal), {
    refresh,
  });
  return (
    <section class="line-funnel" aria-label={name} data-funnel={name}>
      <h3>{name}</h3>
      <Loaded state={answer} height="18rem" failed={partError}>
        {(found) => (
          <>
            <BarTable
              rows={found.steps.map((step, index) => ({ ...step, index }))}
              head={texts.step}
              label={(step) => `${step.index + 1}. ${step.name}`}
              rowKey={({ index }) => String(index)}
              columns={[
                {
                  name: texts.visitors,
                  value: ({ visitors }) => (isRangeUnknown.value ? null : visitors),
                  format: formatShortCount,
                },
                {
                  name: texts.ofFirst,
                  value: ({ conversionRate }) => conversionRate ?? null,
                  format: formatPercent,
                },
              ]}
            />
            <ul class="funnel-losses">
              {found.steps.slice(1).map(
                (step, index) =>
                  step.dropOffRate !== undefined && (
                    <li key={String(index)} class="field-hint">
                      {texts.stepTaken(
                        step.name,
                        formatCount(step.visitors),
                        step.medianSeconds === undefined ? undefined : formatDuration(step.medianSeconds),
                        formatCount(step.dropped),
                        formatPercent(step.dropOffRate),
                      )}
                    </li>
                  ),
              )}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  );
}
