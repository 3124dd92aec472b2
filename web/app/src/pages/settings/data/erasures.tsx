import { useSignal } from "@preact/signals";
import {
  DataService,
  type GetDeletionResponse,
  type PreviewDeletionResponse,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/data_pb.ts";
import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import type { ErasedData } from "../../../../../../packages/client-js/src/valueSets.ts";
import { allChosen } from "../../../api/chosen.ts";
import { clientOf, LookoutError } from "../../../api/client.ts";
import { type CallState, useCall } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { formatDays } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { FieldGroup } from "../../../ui/fieldGroup.tsx";
import { Checkbox } from "../../../ui/fields.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { RowCounts } from "../../../ui/rowCounts.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { TypedConfirm } from "../../../ui/typedConfirmButton.tsx";
import { DayFields } from "./dayFields.tsx";
import { Progress } from "./progress.tsx";
import { Refresh } from "./refresh.tsx";

const client = clientOf(DataService);

/** What can be erased. */
const types = ["events", "sessions", "performance", "aggregated", "errors", "outgoing_links", "uptime"] as const;
const usualTypes: readonly string[] = ["events", "sessions", "performance", "errors"];

type Asked = {
  readonly request: {
    readonly websiteId: string;
    readonly startDate: string;
    readonly endDate: string;
    readonly dataTypes: ErasedData[];
    readonly anonymousId?: string;
  };
  /** Missing where it would single out the visitor. */
  readonly preview?: PreviewDeletionResponse;
};

/** Erases data after counting it and asking for confirmation, and lists erasures. */
export function Erasures({ website }: { readonly website: Website }) {
  const { data: texts } = allTexts();
  const asked = useSignal<Asked | undefined>(undefined);
  const state = useCall(`deletions ${website.id}`, async (signal) => {
    const { deletions } = await client.listDeletions({ websiteId: website.id, limit: 50 }, { signal });
    return deletions;
  });
  return (
    <>
      <Section name="newErasure" title={texts.newErasure} text={texts.erasureText}>
        <Form
          submit={texts.count}
          onSubmit={async (value, all) => {
            const dataTypes = allChosen<ErasedData>(all("types"));
            if (dataTypes.length === 0) throw new LookoutError("VALIDATION_ERROR", texts.chooseType);
            const visitor = value("visitor").trim();
            const request = {
              websiteId: website.id,
              startDate: value("from"),
              endDate: value("to"),
              dataTypes,
              ...(visitor === "" ? {} : { anonymousId: visitor }),
            };
            const isHidden = website.privacy?.audienceOnly === true && visitor !== "";
            asked.value = isHidden ? { request } : { request, preview: await client.previewDeletion(request) };
          }}
        >
          <DayFields website={website} />
          <FieldGroup label={texts.types} hint={texts.erasedKindsHint}>
            <div class="choices">
              {types.map((type) => (
                <Checkbox
                  key={type}
                  name="types"
                  value={type}
                  label={texts.typeNames[type]}
                  isChecked={usualTypes.includes(type)}
                />
              ))}
            </div>
          </FieldGroup>
          <Field name="visitor" label={texts.visitor} hint={texts.visitorHint} maxLength={256} isOptional />
        </Form>
      </Section>
      <Section name="erasures" title={texts.erasures}>
        <ErasureList website={website} state={state} />
      </Section>
      {asked.value !== undefined && (
        <TypedConfirm
          title={texts.confirmTitle}
          label={texts.erase}
          expected={website.name}
          text={
            <div class="stack">
              <p>
                {texts.confirmText(
                  formatDays(asked.value.request.startDate, asked.value.request.endDate),
                  asked.value.request.anonymousId !== undefined,
                )}
              </p>
              {asked.value.preview === undefined ? (
                <p>{texts.notCounted}</p>
              ) : (
                <RowCounts label={texts.wouldGo} rows={asked.value.preview.rows} />
              )}
              <p>{texts.noWayBack}</p>
            </div>
          }
          onConfirm={async () => {
            if (asked.value !== undefined) await client.deleteData(asked.value.request);
            state.reload();
          }}
          onClose={() => {
            asked.value = undefined;
          }}
        />
      )}
    </>
  );
}

type ErasureListProps = { readonly website: Website; readonly state: CallState<GetDeletionResponse[]> };

function ErasureList({ website, state }: ErasureListProps) {
  const { data: texts } = allTexts();
  const isRunning = state.value?.some(({ status }) => status === "processing") ?? false;
  return (
    <>
      {isRunning && <Refresh onTick={state.reload} />}
      <Loaded state={state} height="4rem" empty={texts.noErasures} isEmpty={(deletions) => deletions.length === 0}>
        {(deletions) => (
          <ul class="rows">
            {deletions.map((each) => (
              <ErasureRow key={each.deletionId} website={website} row={each} />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function ErasureRow({ website, row }: { readonly website: Website; readonly row: GetDeletionResponse }) {
  const { data: texts } = allTexts();
  const typeNames: Readonly<Record<string, string>> = texts.typeNames;
  const phases: Readonly<Record<string, string>> = texts.phases;
  const days = formatDays(row.startDate, row.endDate);
  return (
    <li class="row" data-erasure={row.status}>
      <div class="row-main">
        <span class="row-name">
          {days}{" "}
          <span class={row.status === "completed" ? "mark mark-good" : "mark"}>{phases[row.phase] ?? row.phase}</span>
        </span>
        <span class="row-facts">
          <span>{row.dataTypes.map((type) => typeNames[type] ?? type).join(", ")}</span>
          {row.oneVisitor && <span>{texts.oneVisitor}</span>}
          <span>
            {texts.requested} <Time at={row.createdAt} />
          </span>
        </span>
        {row.status === "processing" && <Progress label={texts.progressOf(days)} value={row.progress} />}
      </div>
      <div class="row-tools">
        <a class="button" href={hrefTo(["settings", website.id, "data", row.deletionId])}>
          {row.receipt === undefined ? texts.details : texts.receipt}
          <span class="said"> {days}</span>
        </a>
      </div>
    </li>
  );
}
