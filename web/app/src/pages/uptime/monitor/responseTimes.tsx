import { useEffect, useRef } from "preact/hooks";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { query } from "../../../api/client.ts";
import { failedAnswer } from "../../../api/failedAnswer.ts";
import { type CallOptions, type CallState, useCall } from "../../../api/useCall.ts";
import { hrefTo, place } from "../../../router/router.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import type { Drawing } from "../../../ui/plot/startPlot.ts";
import { dayMs } from "../../../ui/uptime/shownDay.ts";
import { lastDays } from "../history.ts";
import type { MonitorPartProps } from "../partProps.ts";
import { uptime } from "../services.ts";
import type { Times } from "./drawTimes.ts";
import { pointsOfChecks, pointsOfSeries, type TimePoint } from "./timesDrawn.ts";

/** Single checks, and time spans. */
const spans = ["checks", "24h", "7d", "30d", "90d"] as const;

type Span = (typeof spans)[number];

const seriesOf = {
  "24h": { days: 1, granularity: "hourly" },
  "7d": { days: 7, granularity: "hourly" },
  "30d": { days: 30, granularity: "daily" },
  "90d": { days: 90, granularity: "daily" },
} as const;

const shownChecks = 200;

/** How long answers took: single checks, or the median and the 95th percentile of hours and days. */
export function ResponseTimes({ monitor, zone, refresh }: MonitorPartProps) {
  const { uptime: texts } = allTexts();
  const span = spans.find((name) => name === place.value.query.get("times")) ?? "checks";
  const state = useTimes(monitor, span, { refresh });
  const isSingle = span === "checks";
  const lineName = isSingle ? texts.total : texts.median;
  return (
    <section class="panel" aria-labelledby="times" data-panel="times">
      <div class="panel-head">
        <h2 id="times">{texts.responseTimes}</h2>
        <div class="tabs">
          {spans.map((name) => (
            <a
              key={name}
              class="tab"
              href={hrefTo(place.value.segments, name === "checks" ? undefined : new URLSearchParams({ times: name }))}
              data-keep-scroll
              aria-current={name === span ? "true" : undefined}
            >
              {texts.timeSpans[name]}
            </a>
          ))}
        </div>
      </div>
      <ul class="legend panel-legend">
        <li>
          <span class="state">
            <span class="legend-line" aria-hidden="true" />
            {lineName}
          </span>
        </li>
        {!isSingle && (
          <li>
            <span class="state">
              <span class="legend-band" aria-hidden="true" />
              {texts.untilP95}
            </span>
          </li>
        )}
        <li>
          <span class="state">
            <span class="legend-dot" aria-hidden="true" />
            {texts.failures}
          </span>
        </li>
      </ul>
      <Loaded state={state} height="17rem" empty={texts.noAnswers} isEmpty={(points) => points.length === 0}>
        {(points) => (
          <Canvas
            label={texts.timesOf(monitor.name)}
            times={{
              points,
              lineName,
              bandName: "p95",
              failedName: texts.failures,
              phaseNames: [
                texts.phases.dns,
                texts.phases.connect,
                texts.phases.tls,
                texts.phases.wait,
                texts.phases.download,
              ],
              zone,
            }}
          />
        )}
      </Loaded>
    </section>
  );
}

function useTimes(
  { id: monitorId, interval }: Monitor,
  span: Span,
  options: CallOptions,
): CallState<readonly TimePoint[]> {
  return useCall(
    `times of ${monitorId} ${span}`,
    async (signal) => {
      if (span === "checks")
        return pointsOfChecks(
          (await uptime.listRecentChecks({ monitorId, limit: shownChecks }, { signal })).checks,
          interval,
        );
      const { days, granularity } = seriesOf[span];
      const { dateFrom: startDate, dateTo: endDate } = lastDays(Date.now(), days + 1);
      const { data } = await query(
        { scheduleId: monitorId, startDate, endDate, granularity, parameters: ["uptime_time_series"] },
        { signal },
      );
      const [series] = data;
      if (!series.success) throw failedAnswer(series);
      const fromMs = granularity === "daily" ? Number.NEGATIVE_INFINITY : Date.now() - days * dayMs;
      return pointsOfSeries(series.data).filter(({ atMs }) => atMs >= fromMs && atMs <= Date.now());
    },
    options,
  );
}

/** The tables below have the same figures for people who do not see the drawing. */
function Canvas({ label, times }: { readonly label: string; readonly times: Times }) {
  const canvas = useRef<HTMLDivElement>(null);
  const key = JSON.stringify(times);
  useEffect(() => {
    let isGone = false;
    let drawing: Drawing | undefined;
    void import("./drawTimes.ts").then(({ drawTimes }) => {
      if (!isGone && canvas.current !== null) drawing = drawTimes(canvas.current, times);
    });
    return () => {
      isGone = true;
      drawing?.remove();
    };
  }, [key]);
  return <div class="chart-canvas" ref={canvas} role="img" aria-label={label} />;
}
