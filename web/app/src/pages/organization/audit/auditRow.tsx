import type { AuditEntry } from "../../../../../../packages/client-js/src/gen/lookout/v1/audit_log_pb.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Facts } from "../../../ui/facts.tsx";
import { Time } from "../../../ui/time.tsx";

type AuditRowProps = {
  readonly entry: AuditEntry;
  /** Leads to the entries of the same object only. */
  readonly objectHref: string;
};

/** One change, with its fields before and after. */
export function AuditRow({ entry, objectHref }: AuditRowProps) {
  const { audit: texts } = allTexts();
  const { at, actorType, actorId, actorName, action, objectType, objectId, before, after, requestId } = entry;
  const actorTypes: Readonly<Record<string, string>> = texts.actorTypes;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <li class="row" data-action={action}>
      <div class="row-main">
        <span class="row-name mono">{action}</span>
        <span class="row-facts">
          <Time at={at} />
          <span>{`${actorTypes[actorType] ?? actorType}: ${actorName || actorId}`}</span>
          <span>
            {objectType}{" "}
            <a class="mono" href={objectHref}>
              {objectId}
            </a>
          </span>
        </span>
        <details class="fold">
          <summary>
            {texts.changes(fields.length)}
            <span class="said"> {action}</span>
          </summary>
          <div class="stack">
            <Facts
              facts={fields.map((field) => [
                <code class="mono">{field}</code>,
                <Change before={before?.[field]} after={after?.[field]} />,
              ])}
            />
            <p class="field-hint">
              {texts.request} <code class="mono">{requestId}</code>
            </p>
          </div>
        </details>
      </div>
    </li>
  );
}

/** A field before and after; if it was created or removed, only one of them. */
function Change({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const { audit: texts } = allTexts();
  return (
    <span class="mono">
      {isSomething(before) && (
        <>
          <span class="said">{texts.before}: </span>
          <span class="change-before">{shownValue(before)}</span>{" "}
        </>
      )}
      {isSomething(after) && (
        <>
          <span class="said">{texts.after}: </span>
          {shownValue(after)}
        </>
      )}
      {!isSomething(before) && !isSomething(after) && "–"}
    </span>
  );
}

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function shownValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
