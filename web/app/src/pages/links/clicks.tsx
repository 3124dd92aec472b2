import { useSignal } from "@preact/signals";
import type { DatePreset } from "../../../../../packages/client-js/src/valueSets.ts";
import { useAnswer } from "../../api/useAnswer.ts";
import { hrefTo, place } from "../../router/router.ts";
import { formatBucket, formatCount, formatCountry, formatShare } from "../../texts/format.ts";
import { type Texts, t } from "../../texts/texts.ts";
import { wallClock } from "../../texts/wallClock.ts";
import { BarTable } from "../../ui/barTable.tsx";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { iconOf } from "../../ui/icons/iconOf.ts";
import { ChartCanvas } from "../../ui/plot/chartCanvas.tsx";
import { ScrollArea } from "../../ui/scrollArea.tsx";
import { TableToggle } from "../../ui/tableToggle.tsx";

const ranges = ["last_7d", "last_30d", "last_90d", "this_year"] as const satisfies readonly DatePreset[];

type Scope = { readonly linkId: string; readonly timezone: string; readonly preset: DatePreset };

type ClicksProps = {
  readonly linkId: string;
  readonly zone: string;
  /** Asks again when it changes. */
  readonly refresh: number;
};

/** The clicks of a link in a range: over time, and where they came from. */
export function Clicks({ linkId, zone, refresh }: ClicksProps) {
  const { links: texts, dashboard } = t();
  const preset = ranges.find((name) => name === place.value.query.get("range")) ?? "last_30d";
  const scope = { linkId, timezone: zone, preset };
  return (
    <>
      <div class="page-head">
        <h2>{texts.clicks}</h2>
        <div class="tabs">
          {ranges.map((name) => (
            <a
              key={name}
              class="tab"
              href={hrefTo(place.value.segments, new URLSearchParams({ range: name }))}
              data-keep-scroll
              aria-current={name === preset ? "true" : undefined}
            >
              {dashboard.ranges[name]}
            </a>
          ))}
        </div>
      </div>
      <OverTime scope={scope} refresh={refresh} />
      <div class="panels">
        {lists.map(({ type, field, title, label }) => (
          <List
            key={type}
            scope={scope}
            refresh={refresh}
            type={type}
            field={field}
            title={title(t())}
            label={(name) => label(name, t())}
          />
        ))}
      </div>
      <p class="field-hint">{dashboard.timeZone(zone)}</p>
    </>
  );
}

/** Where clicks come from. A further list is an entry here. */
const lists = [
  {
    type: "link_top_referrers",
    field: "referrer",
    title: (t) => t.links.sources,
    label: (name, t) => (name === "Direct" ? t.panels.direct : name),
  },
  {
    type: "link_top_countries",
    field: "country",
    title: (t) => t.panels.countries,
    label: (name) => formatCountry(name),
  },
  {
    type: "link_top_devices",
    field: "device_type",
    title: (t) => t.panels.devices,
    label: (name, t) => t.deviceNames[name as keyof Texts["deviceNames"]] ?? name,
  },
  { type: "link_top_browsers", field: "browser_name", title: (t) => t.panels.browsers, label: (name) => name },
] as const satisfies readonly {
  readonly type: string;
  /** The field that rows have icons of. */
  readonly field: string;
  readonly title: (texts: Texts) => string;
  readonly label: (name: string, texts: Texts) => string;
}[];

function OverTime({ scope, refresh }: { readonly scope: Scope; readonly refresh: number }) {
  const { links: texts, dashboard, panels } = t();
  const answer = useAnswer({ ...scope, parameters: ["link_clicks_by_day"] }, { refresh });
  const showsTable = useSignal(false);
  const { rows } = answer;
  const sum = (rows ?? []).reduce((all, { clicks }) => all + clicks, 0);
  return (
    <section class="panel chart" aria-labelledby="clicks-over-time" data-panel="clicks">
      <div class="panel-head">
        <h3 id="clicks-over-time">
          {texts.overTime}{" "}
          {rows !== undefined && (
            <span class="field-hint">
              <data value={sum} data-figure="clicks-in-range">
                {texts.total(formatCount(sum), sum, true)}
              </data>
            </span>
          )}
        </h3>
        <TableToggle showsTable={showsTable} />
      </div>
      {answer.error !== undefined && rows === undefined ? (
        <ErrorNotice error={answer.error} onRetry={answer.retry} />
      ) : (
        <>
          <ChartCanvas
            isHidden={showsTable.value}
            changes={[rows, texts]}
            data={
              rows === undefined
                ? undefined
                : {
                    buckets: rows.map(({ date }) => date),
                    values: rows.map(({ clicks }) => clicks),
                    current: rows.findIndex(({ date }) => date === wallClock(Date.now(), scope.timezone).slice(0, 10)),
                    before: [],
                    name: texts.clicks,
                    beforeName: "",
                    format: formatCount,
                    isCount: true,
                    marks: [],
                  }
            }
          />
          {showsTable.value && (
            <ScrollArea class="chart-table" label={texts.overTime}>
              <table class="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{dashboard.day}</th>
                    <th scope="col">{panels.clicks}</th>
                    <th scope="col">{dashboard.metrics.visitors}</th>
                  </tr>
                </thead>
                <tbody>
                  {(rows ?? []).map(({ date, clicks, visitors }) => (
                    <tr key={date}>
                      <th scope="row">{formatBucket(date)}</th>
                      <td>{formatCount(clicks)}</td>
                      <td>{formatCount(visitors)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollArea>
          )}
        </>
      )}
    </section>
  );
}

const shownRows = 7;

type ListProps = {
  readonly scope: Scope;
  readonly refresh: number;
  readonly type: (typeof lists)[number]["type"];
  readonly field: string;
  readonly title: string;
  readonly label: (name: string) => string;
};

function List({ scope, refresh, type, field, title, label }: ListProps) {
  const { panels, dashboard, app } = t();
  const answer = useAnswer({ ...scope, limit: shownRows, parameters: [type] }, { refresh });
  const { rows } = answer;
  return (
    <section class="panel" aria-labelledby={`panel-${type}`} data-panel={type}>
      <div class="panel-head">
        <h3 id={`panel-${type}`}>{title}</h3>
      </div>
      <div class="panel-body panel-rows" aria-busy={answer.isLoading}>
        {answer.error !== undefined && rows === undefined ? (
          <ErrorNotice error={answer.error} onRetry={answer.retry} />
        ) : rows === undefined ? (
          <>
            <p class="said">{app.loading}</p>
            <div class="waiting-rows" />
          </>
        ) : rows.length === 0 ? (
          <p class="panel-empty">{panels.empty}</p>
        ) : (
          <BarTable
            rows={rows}
            head={title}
            label={({ name }) => (name === "" || name === "Unknown" ? panels.unknown : label(name))}
            icon={({ name }) => iconOf(field, name === "" ? "Unknown" : name)}
            rowKey={({ name }) => name}
            bar={({ clicks }) => clicks}
            columns={[
              { name: panels.share, value: ({ percentage }) => percentage, format: formatShare, look: "quiet" },
              { name: panels.clicks, value: ({ clicks }) => clicks },
              { name: dashboard.metrics.visitors, value: ({ visitors }) => visitors },
            ]}
          />
        )}
      </div>
    </section>
  );
}
