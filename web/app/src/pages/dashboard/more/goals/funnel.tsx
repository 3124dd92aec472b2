import { useCall } from "../../../../api/useCall.ts";
import { hrefTo } from "../../../../router/router.ts";
import { formatCount, formatDuration, formatPercent, formatShortCount } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { BarTable } from "../../../../ui/barTable.tsx";
import { Loaded } from "../../../../ui/loaded.tsx";
import { useDashboard } from "../../context.ts";
import { partError } from "../../partError.tsx";
import { funnels } from "../services.ts";
import { messageOf, type OwnGoal, rangeOf } from "./steps.ts";
import { StepsForm } from "./stepsForm.tsx";

type FunnelProps = {
  readonly isWanted: boolean;
  readonly steps: OwnGoal[];
  readonly onSave: (steps: OwnGoal[]) => Promise<void>;
};

/** How many visitors take each step, in order, within a week. */
export function Funnel({ isWanted, steps, onSave }: FunnelProps) {
  const { websiteId, scope, refresh, isRangeUnknown } = useDashboard();
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
          <Loaded state={answer} height="18rem" failed={partError}>
            {(found) => (
              <>
                <BarTable
                  rows={(found?.steps ?? []).map((step, index) => ({ ...step, index }))}
                  head={texts.step}
                  label={({ name, index }) => `${index + 1}. ${name}`}
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
                  {(found?.steps ?? []).slice(1).map(
                    ({ name, visitors, dropped, dropOffRate, medianSeconds }, index) =>
                      dropOffRate !== undefined && (
                        <li key={String(index)} class="field-hint">
                          {texts.stepTaken(
                            name,
                            formatCount(visitors),
                            medianSeconds === undefined ? undefined : formatDuration(medianSeconds),
                            formatCount(dropped),
                            formatPercent(dropOffRate),
                          )}
                        </li>
                      ),
                  )}
                </ul>
              </>
            )}
          </Loaded>
        )}
      </div>
      <div class="panel-foot">
        <a class="button button-plain" href={hrefTo(["settings", websiteId, "goals"])}>
          {texts.toFunnels}
        </a>
        <StepsForm title={texts.editFunnel} hint={texts.funnelHint} least={2} most={10} steps={steps} onSave={onSave} />
      </div>
    </>
  );
}
