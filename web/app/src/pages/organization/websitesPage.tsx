import { useEffect } from "preact/hooks";
import { WebsiteService } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../api/client.ts";
import { may, mayForAll, session } from "../../api/session.ts";
import { useTrackingStatuses } from "../../api/trackingStatus.ts";
import { useCall } from "../../api/useCall.ts";
import { loadWebsites, websites } from "../../api/websites.ts";
import { hrefTo } from "../../router/router.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../ui/actionButton.tsx";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";

const client = clientOf(WebsiteService);

/** The websites of the organization, and the deleted ones that can be restored. */
export function WebsitesPage() {
  const organizationId = session.value?.organizationId;
  useEffect(() => void loadWebsites(true), [organizationId]);
  return (
    <>
      <Live />
      {may("delete") && <Deleted />}
    </>
  );
}

function Live() {
  const { organization: texts, websiteSettings, settings } = allTexts();
  const state = websites.value;
  const statusNames: Readonly<Record<string, string>> = websiteSettings.statuses;
  const statuses = useTrackingStatuses(state.kind === "loaded" ? state.websites : []);
  const statusOf = (id: string) => {
    const status = statuses?.get(id);
    return status === undefined ? undefined : (statusNames[status] ?? status);
  };
  return (
    <Section
      name="websites"
      title={texts.websites}
      tools={
        mayForAll("admin") && (
          <a class="button button-main" href={hrefTo(["new-website"])}>
            {allTexts().newWebsite.title}
          </a>
        )
      }
    >
      {state.kind === "failed" && <ErrorNotice error={state.error} onRetry={() => void loadWebsites(true)} />}
      {state.kind === "loading" && <div class="waiting waiting-list" aria-busy="true" />}
      {state.kind === "loaded" && state.websites.length === 0 && <p class="nothing">{allTexts().websites.none}</p>}
      {state.kind === "loaded" && state.websites.length > 0 && (
        <ul class="rows">
          {state.websites.map(({ id, name, domain, timezone, publicAccess }) => (
            <li key={id} class="row" data-website={id}>
              <div class="row-main">
                <span class="row-name">
                  {name} {publicAccess && <span class="mark">{texts.public}</span>}
                </span>
                <span class="row-facts">
                  <span>{domain}</span>
                  <span>{timezone}</span>
                  <span>{statusOf(id)}</span>
                </span>
              </div>
              <div class="row-tools">
                <a class="button" href={hrefTo(["dashboard", id])}>
                  {texts.toOverview}
                  <span class="said"> {name}</span>
                </a>
                <a class="button" href={hrefTo(["settings", id])}>
                  {settings.title}
                  <span class="said"> {name}</span>
                </a>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Deleted() {
  const { organization: texts } = allTexts();
  const state = useCall("deleted websites", async (signal) => {
    const { websites: found } = await client.listWebsites({ deleted: true }, { signal });
    return found;
  });
  return (
    <Section name="deletedWebsites" title={texts.deletedWebsites} text={texts.deletedText}>
      <Loaded state={state} height="4rem" empty={texts.noneDeleted} isEmpty={(found) => found.length === 0}>
        {(found) => (
          <ul class="rows">
            {found.map(({ id, name, domain, deletedAt }) => (
              <li key={id} class="row" data-website={id}>
                <div class="row-main">
                  <span class="row-name">{name}</span>
                  <span class="row-facts">
                    <span>{domain}</span>
                    {deletedAt !== undefined && (
                      <span>
                        {texts.deletedAt} <Time at={deletedAt} />
                      </span>
                    )}
                  </span>
                </div>
                <div class="row-tools">
                  <ActionButton
                    about={name}
                    onAct={async () => {
                      await client.restoreWebsite({ id });
                      await loadWebsites(true);
                      state.reload();
                    }}
                  >
                    {texts.restore}
                  </ActionButton>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
