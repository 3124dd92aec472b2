import { useAnswer } from "../../../../api/useAnswer.ts";
import { goToAddress } from "../../../../router/router.ts";
import { formatCount, formatCountry, formatShortCount } from "../../../../texts/format.ts";
import { t } from "../../../../texts/texts.ts";
import { useModule } from "../../../../ui/useModule.ts";
import { useDashboard } from "../../context.ts";
import { EmptyPanel } from "../../panels/emptyPanel.tsx";
import { Waiting } from "../../panels/waiting.tsx";
import { PartError } from "../../partError.tsx";
import { hrefOfView } from "../../view/currentView.ts";
import { withFilters } from "../../view/view.ts";
import "../../../../styles/map.css";

const allCountries = 250;

/** Visitors by country on a map. The list of countries has the same figures for people who do not see it. */
export function CountryMap() {
  const { view, scope, refresh, hasFigures } = useDashboard();
  const { more: texts, dashboard } = t();
  const question = { ...scope, limit: allCountries, parameters: ["countries"] } as const;
  const answer = useAnswer(question, { refresh, isWanted: hasFigures.value });
  const shapes = useModule(() => import("./shapes.ts"), true)?.countryShapes ?? [];
  const visitors = new Map((answer.rows ?? []).map((row) => [row.name, row.visitors]));
  const most = Math.max(1, ...visitors.values());
  return (
    <div class="panel-body panel-rows" aria-busy={answer.isLoading}>
      {answer.error !== undefined && answer.rows === undefined ? (
        <PartError error={answer.error} onRetry={answer.retry} />
      ) : answer.rows === undefined ? (
        <Waiting />
      ) : answer.rows.length === 0 ? (
        <EmptyPanel />
      ) : (
        <>
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
          <div class="map-foot">
            <span class="map-legend">
              <span>{dashboard.metrics.visitors}</span>
              <data value={1}>{formatShortCount(1)}</data>
              <span class="map-scale" aria-hidden="true" />
              <data value={most}>{formatShortCount(most)}</data>
            </span>
            <span>{texts.mapSource}</span>
          </div>
        </>
      )}
    </div>
  );
}
