import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useAnswer } from "../../../../api/useAnswer.ts";
import { goToAddress } from "../../../../router/router.ts";
import { formatCount, formatCountry } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { useOnScreen } from "../../../../ui/useOnScreen.ts";
import { useDashboard } from "../../context.ts";
import { CopyMenu } from "../../copy/copyMenu.tsx";
import { EmptyPanel } from "../../panels/emptyPanel.tsx";
import { PartError } from "../../partError.tsx";
import { hrefOfView } from "../../view/currentView.ts";
import { withFilters } from "../../view/view.ts";
import type { CountryShape } from "./shapes.ts";

const allCountries = 250;

/** Visitors by country on a map. The list of countries has the same figures for people who do not see it. */
export function CountryMap() {
  const { view, goal, scope, refresh } = useDashboard();
  const { more: texts, dashboard } = t();
  const element = useRef<HTMLElement>(null);
  const isWanted = useOnScreen(element);
  const question = { ...scope, limit: allCountries, parameters: ["countries"] } as const;
  const answer = useAnswer(question, { refresh, isWanted });
  const shapes = useShapes(isWanted);
  const visitors = new Map((answer.rows ?? []).map((row) => [row.name, row.visitors]));
  const most = Math.max(1, ...visitors.values());
  return (
    <section class="panel" ref={element} aria-labelledby="panel-map" data-panel="map">
      <div class="panel-head">
        <h2 id="panel-map">{texts.map}</h2>
        <span class="field-hint">{goal === undefined ? dashboard.metrics.visitors : texts.mapOfAll}</span>
      </div>
      <div class="panel-body" aria-busy={answer.isLoading}>
        {answer.error !== undefined && answer.rows === undefined ? (
          <PartError error={answer.error} onRetry={answer.retry} />
        ) : answer.rows !== undefined && answer.rows.length === 0 ? (
          <EmptyPanel />
        ) : (
          <svg class="map" viewBox="0 0 1000 520" role="img" aria-label={texts.mapOf(dashboard.metrics.visitors)}>
            {shapes.map(({ country, path }) => {
              const count = visitors.get(country) ?? 0;
              const label = `${formatCountry(country)}: ${formatCount(count)}`;
              const attributes = {
                key: path,
                d: path,
                class: "map-country",
                "data-country": country,
                "data-visitors": String(count),
                // The square root, so that small differences between small numbers are visible too.
                style: { "--share": String(count === 0 ? 0 : 0.15 + 0.85 * Math.sqrt(count / most)) },
              };
              if (count === 0)
                return (
                  <path {...attributes}>
                    <title>{label}</title>
                  </path>
                );
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: the list of countries does the same for the keyboard.
                <path
                  {...attributes}
                  onClick={() =>
                    goToAddress(hrefOfView(withFilters(view, [{ field: "country", op: "eq", value: country }])), {
                      keepScroll: true,
                    })
                  }
                >
                  <title>{label}</title>
                </path>
              );
            })}
          </svg>
        )}
      </div>
      <div class="panel-foot">
        <span class="map-source">{texts.mapSource}</span>
        <CopyMenu question={question} />
      </div>
    </section>
  );
}

/** Loaded when the map comes near the window. */
function useShapes(isWanted: boolean): readonly CountryShape[] {
  const shapes = useSignal<readonly CountryShape[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    void import("./shapes.ts").then((module) => {
      shapes.value = module.countryShapes;
    });
  }, [isWanted, shapes]);
  return shapes.value;
}
