import { useRef } from "preact/hooks";
import { unfilterable } from "../../../api/catalogue.ts";
import { useAnswer } from "../../../api/useAnswer.ts";
import { formatCount } from "../../../texts/format.ts";
import { t } from "../../../texts/texts.ts";
import { Definition } from "../../../ui/definition.tsx";
import { NoValue } from "../../../ui/noValue.tsx";
import { useOnScreen } from "../../../ui/useOnScreen.ts";
import { useDashboard } from "../context.ts";
import { PartTools } from "../copy/partTools.tsx";
import { fieldName } from "../fieldName.ts";
import { EmptyPanel } from "../panels/emptyPanel.tsx";
import { PartError } from "../partError.tsx";
import { formatVital, ratingOf, vitalNames } from "./vitalRating.ts";

/** How fast pages are for visitors: the 75th percentile of each figure and its rating. */
export function Vitals() {
  const { view, scope, refresh } = useDashboard();
  const { more: texts, panels } = t();
  const hindrance = unfilterable(
    "vitals_overview",
    view.filters.map(({ field }) => field),
  );
  const element = useRef<HTMLElement>(null);
  const isWanted = useOnScreen(element);
  const question = { ...scope, parameters: ["vitals_overview"] } as const;
  const answer = useAnswer(question, { refresh, isWanted });
  const rows = vitalNames.flatMap((name) => {
    const row = answer.rows?.find(({ metric_name }) => metric_name === name);
    return row === undefined || row.p75 === null ? [] : [{ name, p75: row.p75, p50: row.p50, samples: row.samples }];
  });
  return (
    <section class="panel" ref={element} aria-labelledby="panel-vitals" data-panel="vitals">
      <div class="panel-head">
        <h2 id="panel-vitals">
          <Definition type="vitals_overview">{texts.vitals}</Definition>
        </h2>
        <PartTools name={texts.vitals} question={question} />
      </div>
      <div class="panel-body" aria-busy={answer.isLoading}>
        {hindrance !== undefined ? (
          <p class="panel-empty">{panels.notFilterable(fieldName(hindrance, t()))}</p>
        ) : answer.error !== undefined && answer.rows === undefined ? (
          <PartError error={answer.error} onRetry={answer.retry} />
        ) : answer.rows === undefined ? (
          <div class="waiting-rows" />
        ) : rows.length === 0 ? (
          <EmptyPanel />
        ) : (
          <table class="plain-table vitals">
            <thead>
              <tr>
                <th scope="col">{texts.vital}</th>
                <th scope="col">{texts.p75}</th>
                <th scope="col" class="narrow-hidden">
                  {texts.median}
                </th>
                <th scope="col">{texts.samples}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, p75, p50, samples }) => {
                const rating = ratingOf(name, p75);
                return (
                  <tr key={name}>
                    <th scope="row">
                      {texts.vitalNames[name]} <span class="field-hint">{name}</span>
                    </th>
                    <td>
                      <data value={p75}>{formatVital(name, p75)}</data>
                      <span class="rating" data-rating={rating}>
                        {texts.ratings[rating]}
                      </span>
                    </td>
                    <td class="narrow-hidden">{p50 === null ? <NoValue /> : formatVital(name, p50)}</td>
                    <td>{formatCount(samples)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}
