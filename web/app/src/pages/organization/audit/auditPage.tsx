import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type AuditEntry, AuditService } from "../../../../../../packages/client-js/src/gen/lookout/v1/audit_log_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { useCall } from "../../../api/useCall.ts";
import { loadWebsites, websites } from "../../../api/websites.ts";
import { goTo, hrefTo, place } from "../../../router/router.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ErrorNotice } from "../../../ui/errorNotice.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { useSending } from "../../../ui/useSending.ts";
import type { AuditFilter } from "./auditFilter.ts";
import { AuditFilters } from "./auditFilters.tsx";
import { AuditRow } from "./auditRow.tsx";

const client = clientOf(AuditService);

const pageSize = 50;

type Page = { readonly entries: readonly AuditEntry[]; readonly nextCursor: string | undefined };

/** Who changed what, newest first. The filters are in the address. */
export function AuditPage() {
  const { audit: texts } = allTexts();
  useEffect(() => void loadWebsites(), []);
  const filter = filterOf(place.value.query);
  const key = JSON.stringify(filter);
  const state = useCall(key, (signal) => load(filter, undefined, signal));
  return (
    <Section name="audit" title={texts.heading} text={texts.text}>
      <AuditFilters
        filter={filter}
        websites={websites.value.kind === "loaded" ? websites.value.websites : []}
        actions={state.value?.entries.map(({ action }) => action) ?? []}
        onChange={(next) => {
          // Enter changes a field and also submits the form.
          if (JSON.stringify(next) !== JSON.stringify(filterOf(place.value.query)))
            goTo(["organization", "audit"], { query: queryOf(next), keepScroll: true });
        }}
      />
      <Loaded state={state} height="24rem" empty={texts.empty} isEmpty={({ entries }) => entries.length === 0}>
        {(first) => <Entries key={key} first={first} filter={filter} />}
      </Loaded>
    </Section>
  );
}

/** The first page, and further ones on request. */
function Entries({ first, filter }: { readonly first: Page; readonly filter: AuditFilter }) {
  const { audit: texts } = allTexts();
  const more = useSignal<Page | undefined>(undefined);
  const { isSending, error, send } = useSending();
  const state = websites.value;
  const names = new Map(state.kind === "loaded" ? state.websites.map(({ id, name }) => [id, name]) : []);
  const entries = [...first.entries, ...(more.value?.entries ?? [])];
  const nextCursor = more.value === undefined ? first.nextCursor : more.value.nextCursor;
  const loadMore = async (): Promise<void> => {
    const next = await load(filter, nextCursor);
    more.value = { entries: [...(more.value?.entries ?? []), ...next.entries], nextCursor: next.nextCursor };
  };
  return (
    <>
      <ul class="rows">
        {entries.map((entry) => (
          <AuditRow
            key={entry.id}
            entry={entry}
            websiteName={names.get(entry.objectId)}
            objectHref={hrefTo(["organization", "audit"], queryOf({ website: "", action: "", object: entry.objectId }))}
          />
        ))}
      </ul>
      {error !== undefined && <ErrorNotice error={error} />}
      {nextCursor !== undefined && (
        <div>
          <button type="button" class="button" disabled={isSending} onClick={() => void send(loadMore)}>
            {texts.older}
          </button>
        </div>
      )}
    </>
  );
}

async function load(filter: AuditFilter, cursor: string | undefined, signal?: AbortSignal): Promise<Page> {
  const { website, action, object } = filter;
  const answer = await client.listAuditLog(
    {
      limit: pageSize,
      ...(website === "" ? {} : { websiteId: website }),
      ...(action === "" ? {} : { action }),
      ...(object === "" ? {} : { objectId: object }),
      ...(cursor === undefined ? {} : { cursor }),
    },
    signal === undefined ? {} : { signal },
  );
  return { entries: answer.entries, nextCursor: answer.nextCursor };
}

function filterOf(query: URLSearchParams): AuditFilter {
  const read = (name: string): string => query.get(name) ?? "";
  return { website: read("website"), action: read("action"), object: read("object") };
}

function queryOf(filter: AuditFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ""));
}
