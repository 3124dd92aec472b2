import type { ComponentChildren } from "preact";
import { hrefTo } from "../../router/router.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { valueName } from "../../texts/valueName.ts";
import { type BarColumn, BarTable } from "../../ui/barTable.tsx";
import { iconOf } from "../../ui/icons/iconOf.ts";
import type { RealtimeFigures } from "./figures.ts";

type ListsProps = { readonly websiteId: string; readonly figures: RealtimeFigures | undefined };

/** A row of each list: a value, and how many visitors have it. */
type Row = { readonly value: string; readonly visitors: number; readonly pageviews?: number };

/** Pages, sources, places and devices of the last half hour. */
export function Lists({ websiteId, figures }: ListsProps) {
  const texts = allTexts();
  const { panels, dashboard } = texts;
  const visitors: BarColumn<Row> = { name: dashboard.metrics.visitors, value: (row) => row.visitors };
  const views: BarColumn<Row> = { name: dashboard.metrics.pageviews, value: ({ pageviews = 0 }) => pageviews };
  const shared = { websiteId, isWaiting: figures === undefined };
  return (
    <div class="realtime-lists">
      <List
        {...shared}
        id="pages"
        title={panels.pages}
        field="path"
        rows={figures?.pages?.map(({ path, ...row }) => ({ ...row, value: path }))}
        columns={[views, visitors]}
      />
      <List
        {...shared}
        id="sources"
        title={panels.sources}
        field="referrer"
        rows={figures?.referrers?.map(({ referrer, visitors }) => ({ value: referrer, visitors }))}
        columns={[visitors]}
      />
      <List
        {...shared}
        id="places"
        title={panels.countries}
        field="country"
        rows={figures?.countries?.map(({ name, visitors }) => ({ value: name, visitors }))}
        columns={[visitors]}
      />
      <List
        {...shared}
        id="devices"
        title={panels.devices}
        field="device_type"
        rows={figures?.devices?.map(({ name, visitors }) => ({ value: name, visitors }))}
        columns={[visitors]}
      />
    </div>
  );
}

type ListProps = {
  readonly websiteId: string;
  readonly isWaiting: boolean;
  readonly id: string;
  readonly title: string;
  /** The field that the overview filters by. */
  readonly field: Field;
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly BarColumn<Row>[];
};

function List({ websiteId, isWaiting, id, title, field, rows, columns }: ListProps) {
  const texts = allTexts();
  const { panels, app, realtime } = texts;
  return (
    <section class="panel" aria-labelledby={`realtime-${id}`} data-panel={id}>
      <div class="panel-head">
        <h2 id={`realtime-${id}`}>{title}</h2>
      </div>
      <Body>
        {rows === undefined ? (
          isWaiting ? (
            <p class="said">{app.loading}</p>
          ) : (
            <p class="panel-empty">{panels.notLoaded}</p>
          )
        ) : rows.length === 0 ? (
          <p class="panel-empty">{realtime.nothing}</p>
        ) : (
          <BarTable
            rows={rows}
            head={texts.fields[field]}
            label={({ value }) => valueName(field, value, texts)}
            rowKey={({ value }) => value}
            columns={columns}
            icon={({ value }) => iconOf(field, value)}
            link={({ value }, label) => ({
              href: hrefTo(
                ["dashboard", websiteId],
                new URLSearchParams({ range: "today", filter: `${field}:eq:${value}` }),
              ),
              title: realtime.inOverview(label),
            })}
          />
        )}
      </Body>
    </section>
  );
}

function Body({ children }: { readonly children: ComponentChildren }) {
  return <div class="panel-body">{children}</div>;
}

type Field = "path" | "referrer" | "country" | "device_type";
