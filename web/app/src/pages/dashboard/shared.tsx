import { WebsiteService } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../api/client.ts";
import { useCall } from "../../api/useCall.ts";
import { place } from "../../router/router.ts";
import { NotFound } from "../../shell/notFound.tsx";
import { t } from "../../texts/texts.ts";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { Overview } from "./overview.tsx";

const websites = clientOf(WebsiteService);

/** /shared/<website>: the overview of a public website, for anyone. A private website looks like a missing one. */
export default function Shared() {
  const websiteId = place.value.segments[1] ?? "";
  const { value, error, reload } = useCall(websiteId, (signal) => websites.getPublicWebsite({ websiteId }, { signal }));
  if (error !== undefined)
    return refused.has(error.code) ? <NotFound /> : <ErrorNotice error={error} onRetry={reload} />;
  if (value === undefined) return null;
  return (
    <Overview key={websiteId} websiteId={value.id} name={value.name} timezone={value.timezone} isMember={false}>
      <p class="field-hint">{t().shared.text}</p>
    </Overview>
  );
}

/** Errors of the service for a website that is private or does not exist. */
const refused: ReadonlySet<string> = new Set(["AUTH_REQUIRED", "NOT_FOUND", "ACCESS_DENIED", "MISSING_WEBSITE_ID"]);
