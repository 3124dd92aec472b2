import { useSignal } from "@preact/signals";
import {
  type StatusReport,
  StatusReportService,
} from "../../../../../packages/client-js/src/gen/lookout/v1/status_report_pb.ts";
import { chosen } from "../../api/chosen.ts";
import { clientOf } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/useCall.ts";
import { formatInstant } from "../../texts/formatTime.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ConfirmButton } from "../../ui/confirmButton.tsx";
import { Checkbox, Select, TextArea } from "../../ui/fields.tsx";
import { Field, Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { incidentChoices, type KnownIncident } from "./incidentChoices.ts";
import type { NamedMonitor } from "./namedMonitor.ts";

const reports = clientOf(StatusReportService);

type ReportsProps = {
  readonly pageId: string;
  readonly monitors: readonly NamedMonitor[];
  /** Those of the website, which a report may explain. */
  readonly incidents: readonly KnownIncident[];
};

/** What operators have written on a page, and the forms to write more. */
export function Reports({ pageId, monitors, incidents }: ReportsProps) {
  const { statusPages: texts } = allTexts();
  const list = useCall(`reports of ${pageId}`, (signal) => reports.listStatusReports({ pageId }, { signal }));
  const created = useSignal(0);
  return (
    <div class="stack">
      <Loaded state={list} height="4rem" empty={texts.noReports} isEmpty={(found) => found.reports.length === 0}>
        {(found) => (
          <ul class="entries">
            {found.reports.map((report) => (
              <Report key={report.id} report={report} onChange={list.reload} />
            ))}
          </ul>
        )}
      </Loaded>
      {may("write:uptime") && (
        <section class="stack" aria-label={texts.newReport}>
          <h3>{texts.newReport}</h3>
          <Form
            key={created.value}
            submit={texts.createReport}
            onSubmit={async (value, all) => {
              await reports.createStatusReport({
                pageId,
                title: value("title").trim(),
                status: chosen(value("status")),
                text: value("text"),
                monitorIds: all("monitor"),
                ...(value("incident") === "" ? {} : { incidentId: value("incident") }),
              });
              created.value++;
              list.reload();
            }}
          >
            <Field name="title" label={texts.reportTitle} maxLength={200} />
            <Select name="status" label={texts.reportStatus} choices={texts.reportStatuses} />
            <TextArea name="text" label={texts.reportText} maxLength={5_000} />
            {incidents.length > 0 && (
              <Select
                name="incident"
                label={texts.incident}
                hint={texts.incidentHint}
                choices={incidentChoices(incidents, { noIncident: texts.noIncident, incident: texts.incidentName })}
              />
            )}
            {monitors.length > 0 && (
              <fieldset class="choices">
                <legend>{texts.affected}</legend>
                {monitors.map(({ id, name }) => (
                  <Checkbox key={id} name="monitor" value={id} label={name} />
                ))}
              </fieldset>
            )}
          </Form>
        </section>
      )}
    </div>
  );
}

function Report({ report, onChange }: { readonly report: StatusReport; readonly onChange: () => void }) {
  const { statusPages: texts } = allTexts();
  const { id, title, status, updates } = report;
  const nameOf = (name: string) => texts.reportStatuses[name as keyof typeof texts.reportStatuses] ?? name;
  return (
    <li class="entry">
      <div class="entry-head">
        <b>{title}</b>
        <span class="field-hint">{nameOf(status)}</span>
      </div>
      {updates.map((update) => (
        <p key={update.id}>
          <b>{nameOf(update.status)}</b> <time dateTime={update.postedAt}>{formatInstant(update.postedAt, "UTC")}</time>
          <br />
          {update.text}
        </p>
      ))}
      {may("write:uptime") && (
        <>
          <details>
            <summary>
              {texts.postUpdate}
              <span class="said"> {title}</span>
            </summary>
            <Form
              key={updates.length}
              submit={texts.post}
              onSubmit={async (value) => {
                await reports.postStatusReportUpdate({ id, status: chosen(value("status")), text: value("text") });
                onChange();
              }}
            >
              <Select name="status" label={texts.reportStatus} choices={texts.reportStatuses} value={status} />
              <TextArea name="text" label={texts.reportText} maxLength={5_000} />
            </Form>
          </details>
          <div class="entry-tools">
            <ConfirmButton
              class="button button-bad"
              label={texts.delete}
              about={title}
              title={texts.deleteReportTitle(title)}
              text={texts.deleteReportText}
              onConfirm={async () => {
                await reports.deleteStatusReport({ id });
                onChange();
              }}
            />
          </div>
        </>
      )}
    </li>
  );
}
