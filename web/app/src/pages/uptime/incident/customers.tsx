import { useSignal } from "@preact/signals";
import type {
  ListStatusPagesResponse,
  StatusPage,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import type { StatusReport } from "../../../../../../packages/client-js/src/gen/lookout/v1/status_report_pb.ts";
import type { Incident, Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import type { CallState } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { formatInstant } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { reportDraft, reportOn } from "./reportDraft.ts";
import { ReportForm } from "./reportForm.tsx";

type CustomersProps = {
  readonly incident: Incident;
  readonly monitor: Monitor;
  readonly reports: readonly StatusReport[];
  readonly pages: CallState<ListStatusPagesResponse>;
  readonly onChange: () => void;
};

/** What customers are told: a report that belongs to the incident, or the next update of it. */
export function Customers({ incident, monitor, reports, pages, onChange }: CustomersProps) {
  const { incident: texts } = allTexts();
  const last = reports
    .flatMap(({ updates }) => updates.map(({ postedAt }) => postedAt))
    .toSorted()
    .at(-1);
  if (!may("write:uptime")) return null;
  return (
    <section class="panel" aria-labelledby="customers" data-panel="customers">
      <div class="panel-head">
        <div class="panel-title">
          <h2 id="customers">{texts.write}</h2>
          {last !== undefined && <span class="tag">{texts.published(formatInstant(last, "UTC"))} UTC</span>}
        </div>
      </div>
      <div class="panel-part">
        <Loaded state={pages} height="14rem">
          {({ pages: known }) =>
            known.length === 0 ? (
              <p>
                {texts.noPage} <a href={hrefTo(["status-pages", monitor.websiteId])}>{texts.makePage}</a>
              </p>
            ) : (
              <OnPage incident={incident} monitor={monitor} reports={reports} pages={known} onChange={onChange} />
            )
          }
        </Loaded>
      </div>
    </section>
  );
}

type OnPageProps = Omit<CustomersProps, "pages"> & { readonly pages: readonly StatusPage[] };

/** The choice of the page, and the form for it. */
function OnPage({ incident, monitor, reports, pages, onChange }: OnPageProps) {
  const { incident: texts } = allTexts();
  const [first] = pages;
  const withReport = pages.find(({ id }) => reportOn(reports, id) !== undefined);
  const published = pages.find((page) => page.published);
  const chosen = useSignal((withReport ?? published ?? first)?.id ?? "");
  const isPublished = useSignal(false);
  const page = pages.find(({ id }) => id === chosen.value) ?? first;
  if (page === undefined) return null;
  const report = reportOn(reports, page.id);
  return (
    <div class="stack">
      <label class="field">
        <span class="field-name">{texts.page}</span>
        <select
          class="input"
          name="page"
          onChange={({ currentTarget }) => {
            chosen.value = currentTarget.value;
          }}
        >
          {pages.map(({ id, title, published: isShown }) => (
            <option key={id} value={id} selected={id === page.id}>
              {isShown ? title : texts.draft(title)}
            </option>
          ))}
        </select>
      </label>
      <ReportForm
        key={`${page.id} ${report?.updates.length ?? 0} ${incident.status}`}
        incident={incident}
        page={page}
        report={report}
        draft={reportDraft(monitor.name, incident, report, texts)}
        onPublish={() => {
          isPublished.value = true;
          onChange();
        }}
      />
      <p role="status" class="field-hint">
        {isPublished.value ? texts.publishedNow : ""}
      </p>
    </div>
  );
}
