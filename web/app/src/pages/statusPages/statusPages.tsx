import { useSignal } from "@preact/signals";
import type { StatusPage } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { StatusPageService } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { UptimeService } from "../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { clientOf } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/useCall.ts";
import { hrefTo } from "../../router/router.ts";
import { WebsitePage } from "../../shell/websitePage.tsx";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ConfirmButton } from "../../ui/confirmButton.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import type { KnownIncident } from "./incidentChoices.ts";
import { LogoField } from "./logoField.tsx";
import type { NamedMonitor } from "./namedMonitor.ts";
import { PageForm } from "./pageForm.tsx";
import { Reports } from "./reports.tsx";
import { SnippetBox } from "./snippetBox.tsx";
import "../../styles/panels.css";
import "../../styles/uptime.css";
import "../../styles/settings.css";
import "../../styles/statusPages.css";

const statusPages = clientOf(StatusPageService);
const uptime = clientOf(UptimeService);

/** How far back incidents may be chosen for a report. */
const incidentDays = 30;

/** /status-pages/<website>: the status pages of a website, their settings and reports. */
export default function StatusPages() {
  return <WebsitePage>{({ id }) => <Pages key={id} websiteId={id} />}</WebsitePage>;
}

function Pages({ websiteId }: { readonly websiteId: string }) {
  const { statusPages: texts, lines: uptimeTexts } = allTexts();
  const pages = useCall(`status pages of ${websiteId}`, (signal) =>
    statusPages.listStatusPages({ websiteId }, { signal }),
  );
  const monitors = useCall(`monitors of ${websiteId}`, (signal) => uptime.listMonitors({ websiteId }, { signal }));
  const status = useCall(`status of ${websiteId}`, (signal) =>
    statusPages.getStatusPage({ websiteId, days: incidentDays }, { signal }),
  );
  const known = (monitors.value?.monitors ?? []).map(({ id, name }) => ({ id, name }));
  /** Counts created pages, so that the next form is empty. */
  const created = useSignal(0);
  return (
    <div class="page">
      <div class="page-head">
        <div>
          <h1>{texts.title}</h1>
          <p class="field-hint">{texts.text}</p>
        </div>
      </div>
      <section class="panel" aria-label={texts.title} data-panel="status-pages">
        <Loaded state={pages} height="8rem" empty={texts.none} isEmpty={(list) => list.pages.length === 0}>
          {(list) => (
            <ul class="entries">
              {list.pages.map((page) => (
                <Entry
                  key={page.id}
                  page={page}
                  monitors={known}
                  incidents={status.value?.incidents ?? []}
                  onChange={pages.reload}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      {may("write:uptime") && (
        <section class="panel panel-form" aria-labelledby="new-status-page">
          <h2 id="new-status-page">{texts.newPage}</h2>
          {monitors.value?.monitors.length === 0 && (
            <p class="notice" data-hint="monitor-first">
              {texts.monitorFirst} <a href={hrefTo(["uptime", websiteId, "new"])}>{uptimeTexts.addMonitor}</a>
            </p>
          )}
          <PageForm
            key={created.value}
            submit={texts.create}
            websiteId={websiteId}
            monitors={known}
            onSubmit={async (fields) => {
              await statusPages.createStatusPage({ websiteId, ...fields });
              created.value++;
              pages.reload();
            }}
          />
        </section>
      )}
    </div>
  );
}

type EntryProps = {
  readonly page: StatusPage;
  readonly monitors: readonly NamedMonitor[];
  readonly incidents: readonly KnownIncident[];
  readonly onChange: () => void;
};

function Entry({ page, monitors, incidents, onChange }: EntryProps) {
  const { statusPages: texts } = allTexts();
  const { id, slug, title, published } = page;
  const mayChange = may("write:uptime");
  /** The images of a closed box are not loaded. */
  const isSharing = useSignal(false);
  return (
    <li class="entry" data-status-page={id}>
      <div class="entry-head">
        <b>{title}</b>
        <span class="field-hint">{published ? texts.published : texts.draft}</span>
      </div>
      <p>
        {published ? (
          <a href={`status/${slug}`} rel="external">
            /status/{slug}
          </a>
        ) : (
          <span class="field-hint">/status/{slug}</span>
        )}
      </p>
      <details>
        <summary>
          {texts.reports}
          <span class="said"> {title}</span>
        </summary>
        <Reports pageId={id} monitors={monitors} incidents={incidents} />
      </details>
      {published && (
        <details
          onToggle={({ currentTarget }) => {
            isSharing.value = currentTarget.open;
          }}
        >
          <summary>
            {texts.share}
            <span class="said"> {title}</span>
          </summary>
          {isSharing.value && <SnippetBox page={page} monitors={monitors} />}
        </details>
      )}
      {mayChange && (
        <>
          <details>
            <summary>
              {texts.edit}
              <span class="said"> {title}</span>
            </summary>
            <LogoField page={page} onChange={onChange} />
            <PageForm
              key={page.updatedAt}
              submit={texts.save}
              websiteId={page.websiteId}
              page={page}
              monitors={monitors}
              onSubmit={async ({ groups, ...fields }) => {
                await statusPages.updateStatusPage({ id, ...fields, groups, allMonitors: groups.length === 0 });
                onChange();
              }}
            />
          </details>
          <div class="entry-tools">
            <ConfirmButton
              class="button button-bad"
              label={texts.delete}
              about={title}
              title={texts.deleteTitle(title)}
              text={texts.deleteText}
              onConfirm={async () => {
                await statusPages.deleteStatusPage({ id });
                onChange();
              }}
            />
          </div>
        </>
      )}
    </li>
  );
}
