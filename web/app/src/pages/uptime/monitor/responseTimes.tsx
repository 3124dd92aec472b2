import { useEffect, useRef } from "preact/hooks";
import type {
  Check,
  HistoryPoint,
  Monitor,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { type CallOptions, type CallState, useCall } from "../../../api/useCall.ts";
import { hrefTo, place } from "../../../router/router.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import type { Drawing } from "../../../ui/plot/startPlot.ts";
import { dayMs } from "../../../ui/uptime/shownDay.ts";
import { intervalsMs } from "../../../ui/uptime/uptimeText.ts";
import type { MonitorPartProps } from "../partProps.ts";
import { uptime } from "../services.ts";
import type { Phase, Times } from "./drawTimes.ts";

/** Single checks have all phases; time spans have means. */
const spans = ["checks", "24h", "7d", "30d", "90d"] as const;

type Span = (typeof spans)[number];

const historyOf = {
  "24h": { days: 1, granularity: "15m" },
  "7d": { days: 7, granularity: "1h" },
  "30d": { days: 30, granularity: "6h" },
  "90d": { days: 90, granularity: "1d" },
} as const;

const shownChecks = 200;

/** What is drawn, in the order of time. */
type Drawn = Pick<Times, "times" | "isDown"> & { readonly phases: readonly (readonly (number | null)[])[] };

/** How long answers took, by phase. */
export function ResponseTimes({ monitor, zone, refresh }: MonitorPartProps) {
  const { uptime: texts } = allTexts();
  const span = spans.find((name) => name === place.value.query.get("times")) ?? "checks";
  const state = useTimes(monitor, span, { refresh });
  const names =
    span === "checks"
      ? [texts.phases.dns, texts.phases.connect, texts.phases.tls, texts.phases.wait, texts.phases.download]
      : [texts.firstByte, texts.phases.download];
  const colours = ["--series-5", "--series-4", "--series-3", "--series-1", "--series-2"] as const;
  const phases = names.map((name, index) => ({
    name,
    colour: colours[span === "checks" ? index : index + 3] ?? "--series-1",
  }));
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
        {phases.map(({ name, colour }) => (
          <li key={name}>
            <span class="state">
              <span class="state-sign" style={{ background: `var(${colour})` }} aria-hidden="true" />
              {name}
            </span>
          </li>
        ))}
      </ul>
      <Loaded state={state} height="17rem" empty={texts.noAnswers} isEmpty={({ times }) => times.length === 0}>
        {({ phases: values, ...drawn }) => (
          <Canvas
            label={texts.timesOf(monitor.name)}
            times={{
              ...drawn,
              phases: phases.map((phase, index): Phase => ({ ...phase, values: values[index] ?? [] })),
              totalName: texts.total,
              downName: texts.states.down,
              zone,
            }}
          />
        )}
      </Loaded>
    </section>
  );
}

function useTimes({ id: monitorId, interval }: Monitor, span: Span, options: CallOptions): CallState<Drawn> {
  return useCall(
    `times of ${monitorId} ${span}`,
    async (signal) => {
      if (span === "checks")
        return ofChecks(
          (await uptime.listRecentChecks({ monitorId, limit: shownChecks }, { signal })).checks,
          interval,
        );
      const { days, granularity } = historyOf[span];
      const nowMs = Date.now();
      const dateFrom = new Date(nowMs - days * dayMs).toISOString();
      const dateTo = new Date(nowMs).toISOString();
      return ofHistory((await uptime.getHistory({ monitorId, dateFrom, dateTo, granularity }, { signal })).dataPoints);
    },
    options,
  );
}

/** `checks` are newest first, as the service returns them. A check without an answer has no times; missed checks leave a gap. */
function ofChecks(checks: readonly Check[], interval: string): Drawn {
  const ordered = checks.toReversed();
  const mostMs = 2.5 * (intervalsMs[interval] ?? dayMs);
  const entries = ordered.flatMap((check, index): { readonly ms: number; readonly check: Check | undefined }[] => {
    const ms = Date.parse(check.timestamp);
    const before = ordered[index - 1];
    const isGap = before !== undefined && ms - Date.parse(before.timestamp) > mostMs;
    return isGap
      ? [
          { ms: ms - 1, check: undefined },
          { ms, check },
        ]
      : [{ ms, check }];
  });
  const phase = (of: (check: Check) => number) =>
    entries.map(({ check }) => (check !== undefined && check.ttfbMs > 0 ? Math.max(0, of(check)) : null));
  return {
    times: entries.map(({ ms }) => ms),
    isDown: entries.map(({ check }) => check?.status === "down"),
    phases: [
      phase(({ dnsMs }) => dnsMs),
      phase(({ connectMs }) => connectMs),
      phase(({ tlsMs }) => tlsMs),
      phase(({ ttfbMs, dnsMs, connectMs, tlsMs }) => ttfbMs - dnsMs - connectMs - tlsMs),
      phase(({ totalMs, ttfbMs }) => totalMs - ttfbMs),
    ],
  };
}

function ofHistory(points: readonly HistoryPoint[]): Drawn {
  const first = points.findIndex(({ checks }) => checks > 0);
  const known = first === -1 ? [] : points.slice(first);
  const phase = (of: (point: HistoryPoint) => number) =>
    known.map((point) => (point.avgTotalMs > 0 ? Math.max(0, of(point)) : null));
  return {
    times: known.map(({ timestamp }) => Date.parse(timestamp)),
    isDown: known.map(({ failures }) => failures > 0),
    phases: [phase(({ avgTtfbMs }) => avgTtfbMs), phase(({ avgTotalMs, avgTtfbMs }) => avgTotalMs - avgTtfbMs)],
  };
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
