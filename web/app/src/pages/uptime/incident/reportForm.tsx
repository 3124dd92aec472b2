import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { StatusPage } from "../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import {
  type StatusReport,
  StatusReportService,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/status_report_pb.ts";
import type { Incident } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { ReportStatus } from "../../../../../../packages/client-js/src/valueSets.ts";
import { chosen } from "../../../api/chosen.ts";
import { clientOf } from "../../../api/client.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { useSending } from "../../../ui/useSending.ts";
import type { ReportDraft } from "./reportDraft.ts";

const reports = clientOf(StatusReportService);

type ReportFormProps = {
  readonly incident: Incident;
  readonly page: StatusPage;
  /** The one that is continued. */
  readonly report: StatusReport | undefined;
  readonly draft: ReportDraft;
  readonly onPublish: () => void;
};

/** A report about an incident, or its next update, with a preview. */
export function ReportForm({ incident, page, report, draft, onPublish }: ReportFormProps) {
  const { incident: texts, statusPages } = allTexts();
  const id = useId();
  const [title, status, text] = [useSignal(draft.title), useSignal(draft.status), useSignal(draft.text)];
  const showsPreview = useSignal(false);
  const { isSending, error, send } = useSending();
  const statusName = statusPages.reportStatuses[status.value as keyof typeof statusPages.reportStatuses];
  const publish = async (): Promise<void> => {
    const update = { status: chosen<ReportStatus>(status.value), text: text.value.trim() };
    if (report === undefined)
      await reports.createStatusReport({
        ...update,
        pageId: page.id,
        title: title.value.trim(),
        incidentId: incident.id,
      });
    else await reports.postStatusReportUpdate({ ...update, id: report.id });
    onPublish();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send(publish);
      }}
    >
      <div class="form-row">
        <div class="field">
          <label for={`${id}-title`}>{texts.reportTitle}</label>
          <input
            id={`${id}-title`}
            class="input"
            name="title"
            required
            maxLength={200}
            disabled={report !== undefined}
            value={title.value}
            onInput={({ currentTarget }) => {
              title.value = currentTarget.value;
            }}
          />
        </div>
        <div class="field">
          <label for={`${id}-status`}>{texts.status}</label>
          <select
            id={`${id}-status`}
            class="input"
            name="status"
            value={status.value}
            onChange={({ currentTarget }) => {
              status.value = currentTarget.value;
            }}
          >
            {Object.entries(statusPages.reportStatuses).map(([name, shown]) => (
              <option key={name} value={name} selected={name === status.value}>
                {shown}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div class="field">
        <label for={`${id}-text`}>{texts.update}</label>
        <textarea
          id={`${id}-text`}
          class="input report-text"
          name="text"
          required
          rows={3}
          maxLength={5_000}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </div>
      {showsPreview.value && (
        <article class="report-preview" aria-label={texts.preview}>
          <p class="field-hint">{page.title}</p>
          <p>
            <b>{title.value}</b>
          </p>
          <p>
            <b>{statusName}</b> {text.value}
          </p>
        </article>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="form-foot">
        <button type="submit" class="button button-main" disabled={isSending}>
          {texts.publish(statusName)}
        </button>
        <button
          type="button"
          class="button button-plain"
          aria-expanded={showsPreview.value}
          onClick={() => {
            showsPreview.value = !showsPreview.value;
          }}
        >
          {texts.preview}
        </button>
      </div>
      <p class="field-hint">{texts.writeText}</p>
    </form>
  );
}
