import type { AuditEntry } from "../../../../../../packages/client-js/src/gen/lookout/v1/audit_log_pb.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Facts } from "../../../ui/facts.tsx";
import { Time } from "../../../ui/time.tsx";
import { auditedName, auditSentence } from "./auditSentence.ts";

type AuditRowProps = {
  readonly entry: AuditEntry;
  /** The name that a website has now; undefined for other objects. */
  readonly websiteName: string | undefined;
  /** Where only the entries of the same object are. */
  readonly objectHref: string;
};

/** One change, with its fields before and after. */
export function AuditRow({ entry, websiteName, objectHref }: AuditRowProps) {
  const { audit: texts } = allTexts();
  const { at, actorType, actorId, actorName, action, objectType, objectId, before, after, requestId } = entry;
  const actorTypes: Readonly<Record<string, string>> = texts.actorTypes;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const name = auditedName(after, before) ?? websiteName;
  const sentence = auditSentence(action, name, texts);
  return (
    <li class="row" data-action={action}>
      <div class="row-main">
        <span class="row-name">{sentence}</span>
        <span class="row-facts">
          <Time at={at} />
          <span>{`${actorTypes[actorType] ?? actorType}: ${actorName || actorId}`}</span>
          <a href={objectHref}>
            {texts.sameObject}
            <span class="said"> {name ?? objectId}</span>
          </a>
        </span>
        <details class="fold">
          <summary>
            {texts.changes(fields.length)}
            <span class="said"> {sentence}</span>
          </summary>
          <div class="stack">
            <Facts
              facts={fields.map((field) => [
                <code class="mono">{field}</code>,
                <Change before={before?.[field]} after={after?.[field]} />,
              ])}
            />
            <p class="field-hint">
              {texts.action} <code class="mono">{action}</code> · {objectType} <code class="mono">{objectId}</code> ·{" "}
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
