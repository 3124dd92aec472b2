import { useEffect } from "preact/hooks";
import { WebsiteService } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../api/client.ts";
import { sessionState } from "../../api/session.ts";
import { useCall } from "../../api/useCall.ts";
import { loadWebsites, websites as ownWebsites } from "../../api/websites.ts";
import { place } from "../../router/router.ts";
import { NotFound } from "../../shell/notFound.tsx";
import { WaitingPage } from "../../shell/waitingPage.tsx";
import { t } from "../../texts/texts.ts";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { Overview } from "./overview.tsx";
import { SharedByLink } from "./sharedByLink.tsx";
import { sharedNote } from "./sharedNote.ts";

const websites = clientOf(WebsiteService);

/** /shared/<website>: the overview of a public website, for anyone; with a dashboard's id behind it, the dashboard of a link. */
export default function Shared() {
  const { segments, fragment } = place.value;
  const dashboardId = segments[2];
  return dashboardId === undefined ? (
    <PublicOverview />
  ) : (
    <SharedByLink key={dashboardId} dashboardId={dashboardId} token={fragment} />
  );
}

/** A private website looks like a missing one. */
function PublicOverview() {
  const websiteId = place.value.segments[1] ?? "";
  const { value, error, reload } = useCall(websiteId, (signal) => websites.getPublicWebsite({ websiteId }, { signal }));
  const { kind } = sessionState.value;
  useEffect(() => {
    if (kind === "signed in") void loadWebsites();
  }, [kind]);
  if (error !== undefined)
    return refused.has(error.code) ? <NotFound /> : <ErrorNotice error={error} onRetry={reload} />;
  if (value === undefined) return <WaitingPage />;
  return (
    <Overview key={websiteId} websiteId={value.id} name={value.name} timezone={value.timezone} isMember={false}>
      <p class="field-hint">
        {kind === "loading" ? undefined : sharedNote(websiteId, kind === "signed in", ownWebsites.value, t())}
      </p>
    </Overview>
  );
}

/** Errors of the service for a website that is private or does not exist. */
const refused: ReadonlySet<string> = new Set(["AUTH_REQUIRED", "NOT_FOUND", "ACCESS_DENIED", "MISSING_WEBSITE_ID"]);
