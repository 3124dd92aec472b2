import type { ComponentChildren } from "preact";
import {
  DataService,
  type DeletionReceipt,
  type GetDeletionResponse,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/data_pb.ts";
import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { may } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { hrefTo } from "../../../router/router.ts";
import { NotFound } from "../../../shell/notFound.tsx";
import { formatCount, formatDay, formatDays } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { NoPermission } from "../../../ui/noPermission.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { Progress } from "./progress.tsx";
import { receiptText } from "./receiptText.ts";
import { Refresh } from "./refresh.tsx";

const client = clientOf(DataService);

type ReceiptPageProps = { readonly website: Website; readonly deletionId: string };

/** /settings/<website>/data/<erasure>: the progress of an erasure and its receipt, to read, print and copy. */
export function ReceiptPage({ website, deletionId }: ReceiptPageProps) {
  const { data: texts } = allTexts();
  const state = useCall(deletionId, (signal) => client.getDeletion({ deletionId }, { signal }));
  if (!may("delete:data")) return <NoPermission />;
  if (state.error?.code === "NOT_FOUND" || (state.value !== undefined && state.value.websiteId !== website.id))
    return <NotFound />;
  return (
    <>
      <p class="no-print">
        <a href={hrefTo(["settings", website.id, "data"])}>{texts.back}</a>
      </p>
      <Section
        name="receipt"
        title={texts.receiptTitle}
        tools={
          state.value?.receipt !== undefined && (
            <div class="row-tools no-print">
              <button type="button" class="button" onClick={() => print()}>
                {texts.print}
              </button>
              <CopyButton text={receiptText(state.value)} about={texts.receipt} />
            </div>
          )
        }
      >
        <Loaded state={state} height="20rem">
          {(deletion) => (
            <>
              {deletion.status === "processing" && <Refresh onTick={state.reload} />}
              <Request website={website} deletion={deletion} />
              {deletion.receipt !== undefined && <Receipt receipt={deletion.receipt} />}
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}

function Request({ website, deletion }: { readonly website: Website; readonly deletion: GetDeletionResponse }) {
  const { data: texts } = allTexts();
  const typeNames: Readonly<Record<string, string>> = texts.typeNames;
  const phases: Readonly<Record<string, string>> = texts.phases;
  const facts: [string, ComponentChildren][] = [
    [texts.websiteName, `${website.name} (${website.domain})`],
    [texts.erasureId, <code class="mono">{deletion.deletionId}</code>],
    [texts.days, `${formatDays(deletion.startDate, deletion.endDate)} (${website.timezone})`],
    [texts.types, deletion.dataTypes.map((type) => typeNames[type] ?? type).join(", ")],
    [texts.whose, deletion.oneVisitor ? texts.oneVisitor : texts.allVisitors],
    [texts.requested, <Time at={deletion.createdAt} />],
    [texts.state, phases[deletion.phase] ?? deletion.phase],
  ];
  return (
    <>
      <Facts facts={facts} />
      {deletion.status === "processing" && (
        <Progress label={texts.progressOf(deletion.startDate)} value={deletion.progress} />
      )}
    </>
  );
}

function Receipt({ receipt }: { readonly receipt: DeletionReceipt }) {
  const { data: texts } = allTexts();
  const facts: [string, ComponentChildren][] = [
    [texts.unreadableAt, <Time at={receipt.unreadableAt} />],
    [texts.goneAt, <Time at={receipt.goneAt} />],
  ];
  if (receipt.backupsExpireAt !== undefined) facts.push([texts.backupsExpireAt, <Time at={receipt.backupsExpireAt} />]);
  if (receipt.logExpiresAt !== undefined) facts.push([texts.logExpiresAt, <Time at={receipt.logExpiresAt} />]);
  // Of rows without days the days are hidden, since they would show when one visitor was here.
  if (receipt.days.length > 0 || receipt.tables.every(({ rowsBefore }) => rowsBefore === 0))
    facts.push([texts.daysTouched, receipt.days.map((day) => formatDay(day)).join(", ") || texts.none]);
  facts.push([texts.exportsWithdrawn, receipt.exportsWithdrawn.join(", ") || texts.none]);
  for (const { place, lastSeenAt } of receipt.spoolsAway)
    facts.push([
      texts.spoolAway,
      <>
        <code class="mono">{place}</code> <Time at={lastSeenAt} />
      </>,
    ]);
  for (const { place, lastSeenAt, erasedAt } of receipt.replicasAway)
    facts.push([
      texts.replicaAway,
      <>
        <code class="mono">{place}</code> <Time at={lastSeenAt} />,{" "}
        {erasedAt === undefined ? (
          texts.replicaNotErased
        ) : (
          <>
            {texts.replicaErasedAt} <Time at={erasedAt} />
          </>
        )}
      </>,
    ]);
  for (const { backupTakenAt, reappliedAt, rows } of receipt.reapplied)
    facts.push([
      texts.reapplied,
      <>
        <Time at={reappliedAt} />, {texts.reappliedRows(formatCount(rows))} <Time at={backupTakenAt} />
      </>,
    ]);
  return (
    <>
      <h3>{texts.proof}</h3>
      <table class="counts">
        <caption class="said">{texts.proof}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.table}</th>
            <th scope="col">{texts.rowsBefore}</th>
            <th scope="col">{texts.rowsAfter}</th>
          </tr>
        </thead>
        <tbody>
          {receipt.tables.map(({ table, rowsBefore, rowsAfter }) => (
            <tr key={table} data-table={table}>
              <th scope="row" class="mono">
                {table}
              </th>
              <td>{formatCount(rowsBefore)}</td>
              <td>{formatCount(rowsAfter)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="field-hint">{texts.recomputed}</p>
      <Facts facts={facts} />
    </>
  );
}
