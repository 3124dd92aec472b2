import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { FunnelService } from "../../../../../../packages/client-js/src/gen/lookout/v1/funnels_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { useCall } from "../../../api/useCall.ts";
import { formatCount, formatDuration, formatPercent } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { valueName } from "../../../texts/valueName.ts";
import { BarTable } from "../../../ui/barTable.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { type OwnFunnel, stepMessage } from "./ownGoals.ts";
import { splitFields } from "./splitFields.ts";

const funnels = clientOf(FunnelService);

/** Values of a breakdown. */
const mostValues = 10;

type FunnelFiguresProps = { readonly websiteId: string; readonly timezone: string; readonly funnel: OwnFunnel };

/** How many visitors took each step in the last 30 days, in words too, and who got through by a field of their visit. */
export function FunnelFigures({ websiteId, timezone, funnel: { steps } }: FunnelFiguresProps) {
  const { more: texts, ownGoals, fields, panels, channels, deviceNames } = allTexts();
  const splitBy = useSignal<(typeof splitFields)[number]>("referrer_group");
  const id = useId();
  const chosen = splitBy.value;
  const answer = useCall(JSON.stringify(["funnel", websiteId, steps, chosen]), (signal) => {
    const funnel = {
      steps: steps.map(stepMessage),
      preset: "last_30d" as const,
      splitBy: chosen,
      splitLimit: mostValues,
    };
    return funnels.analyzeFunnel({ websiteId, timezone, funnel }, { signal });
  });
  return (
    <Loaded state={answer} height="12rem">
      {({ steps: results, splits, visitors }) => (
        <>
          <BarTable
            rows={results.map((step, index) => ({ ...step, index }))}
            head={texts.step}
            label={({ name, index }) => `${index + 1}. ${name}`}
            rowKey={({ index }) => String(index)}
            columns={[
              { name: texts.visitors, value: (step) => step.visitors, format: formatCount },
              { name: texts.ofFirst, value: ({ conversionRate }) => conversionRate ?? null, format: formatPercent },
            ]}
          />
          <ul class="funnel-losses">
            {results.slice(1).map(
              ({ name, visitors: taken, dropped, dropOffRate, medianSeconds }, index) =>
                dropOffRate !== undefined && (
                  <li key={String(index)} class="field-hint">
                    {texts.stepTaken(
                      name,
                      formatCount(taken),
                      medianSeconds === undefined ? undefined : formatDuration(medianSeconds),
                      formatCount(dropped),
                      formatPercent(dropOffRate),
                    )}
                  </li>
                ),
            )}
          </ul>
          {visitors === 0 ? (
            <p class="field-hint">{ownGoals.nobody}</p>
          ) : (
            <>
              <div class="funnel-split">
                <label for={id}>{ownGoals.splitBy}</label>
                <select
                  id={id}
                  class="input"
                  value={chosen}
                  onChange={({ currentTarget }) => {
                    splitBy.value = splitFields.find((field) => field === currentTarget.value) ?? "referrer_group";
                  }}
                >
                  {splitFields.map((field) => (
                    <option key={field} value={field}>
                      {fields[field]}
                    </option>
                  ))}
                </select>
              </div>
              <div data-split={chosen}>
                <BarTable
                  rows={splits}
                  head={fields[chosen]}
                  label={({ value }) => valueName(chosen, value, { panels, channels, deviceNames })}
                  rowKey={({ value }) => value}
                  columns={[
                    { name: ownGoals.began, value: (split) => split.visitors, format: formatCount },
                    { name: ownGoals.finished, value: ({ converted }) => converted, format: formatCount },
                    {
                      name: texts.conversionRate,
                      value: ({ conversionRate }) => conversionRate ?? null,
                      format: formatPercent,
                    },
                  ]}
                />
              </div>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}
