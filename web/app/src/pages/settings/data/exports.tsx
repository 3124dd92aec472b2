import { DataService, type Export } from "../../../../../../packages/client-js/src/gen/lookout/v1/data_pb.ts";
import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { allChosen, chosen } from "../../../api/chosen.ts";
import { clientOf, LookoutError } from "../../../api/client.ts";
import { type CallState, useCall } from "../../../api/useCall.ts";
import { formatCount, formatDays } from "../../../texts/format.ts";
import { formatBytes } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { FieldGroup } from "../../../ui/fieldGroup.tsx";
import { Checkbox, Select } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { DayFields } from "./dayFields.tsx";
import { formats, types } from "./exportChoices.ts";
import { Progress } from "./progress.tsx";
import { Refresh } from "./refresh.tsx";

const client = clientOf(DataService);

/** Makes exports, and lists them with their progress and the way to their files. */
export function Exports({ website }: { readonly website: Website }) {
  const { data: texts } = allTexts();
  const state = useCall(`exports ${website.id}`, async (signal) => {
    const { exports } = await client.listExports({ websiteId: website.id, limit: 50 }, { signal });
    return exports;
  });
  return (
    <>
      <Section name="newExport" title={texts.newExport} text={texts.exportText}>
        <Form
          submit={texts.startExport}
          onSubmit={async (value, all) => {
            const dataTypes = all("types");
            if (dataTypes.length === 0) throw new LookoutError("VALIDATION_ERROR", texts.chooseType);
            await client.createExport({
              websiteId: website.id,
              startDate: value("from"),
              endDate: value("to"),
              format: chosen(value("format")),
              dataTypes: allChosen(dataTypes),
            });
            state.reload();
          }}
        >
          <DayFields website={website} />
          <FieldGroup label={texts.types} hint={texts.exportedKindsHint}>
            <div class="choices">
              {types.map((type) => (
                <Checkbox key={type} name="types" value={type} label={texts.typeNames[type]} isChecked />
              ))}
            </div>
          </FieldGroup>
          <Select name="format" label={texts.format} choices={choicesOf(formats, texts.formats)} />
        </Form>
      </Section>
      <Section name="exports" title={texts.exports}>
        <ExportList state={state} />
      </Section>
    </>
  );
}

function choicesOf<N extends string>(names: readonly N[], texts: Readonly<Record<N, string>>): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, texts[name]]));
}

function ExportList({ state }: { readonly state: CallState<Export[]> }) {
  const { data: texts } = allTexts();
  const isRunning = state.value?.some(({ status }) => status === "processing") ?? false;
  return (
    <>
      {isRunning && <Refresh onTick={state.reload} />}
      <Loaded state={state} height="4rem" empty={texts.noExports} isEmpty={(exports) => exports.length === 0}>
        {(exports) => (
          <ul class="rows">
            {exports.map((each) => (
              <ExportRow key={each.exportId} row={each} onChange={state.reload} />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function ExportRow({ row, onChange }: { readonly row: Export; readonly onChange: () => void }) {
  const { data: texts } = allTexts();
  const { exportId, status, startDate, endDate, format, dataTypes, rowsDone, rowsTotal, downloadUrl } = row;
  const days = formatDays(startDate, endDate);
  const isRunning = status === "processing";
  const statuses: Readonly<Record<string, string>> = texts.statuses;
  const typeNames: Readonly<Record<string, string>> = texts.typeNames;
  return (
    <li class="row" data-export={status}>
      <div class="row-main">
        <span class="row-name">
          {days} <span class={status === "completed" ? "mark mark-good" : "mark"}>{statuses[status] ?? status}</span>
        </span>
        <span class="row-facts">
          <span>{format.toUpperCase()}</span>
          <span>{dataTypes.map((type) => typeNames[type] ?? type).join(", ")}</span>
          <span>
            {isRunning
              ? texts.rowsOf(formatCount(rowsDone), formatCount(rowsTotal))
              : texts.rows(formatCount(rowsDone))}
          </span>
          {row.bytes !== undefined && <span>{formatBytes(row.bytes)}</span>}
          <span>
            {texts.requested} <Time at={row.createdAt} />
          </span>
          {row.expiresAt !== undefined && downloadUrl !== undefined && (
            <span>
              {texts.until} <Time at={row.expiresAt} />
            </span>
          )}
        </span>
        {isRunning && <Progress label={texts.progressOf(days)} value={row.progress} />}
        {row.reason !== undefined && <span class="field-hint">{row.reason}</span>}
      </div>
      <div class="row-tools">
        {downloadUrl !== undefined && (
          <a class="button" href={downloadUrl} download rel="external">
            {texts.download}
            <span class="said"> {days}</span>
          </a>
        )}
        {isRunning && (
          <ActionButton
            about={days}
            onAct={async () => {
              await client.cancelExport({ exportId });
              onChange();
            }}
          >
            {texts.cancelExport}
          </ActionButton>
        )}
      </div>
    </li>
  );
}
