import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Website } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { session } from "../api/session.ts";
import { loadWebsites, websites } from "../api/websites.ts";
import { place } from "../router/router.ts";
import { ErrorNotice } from "../ui/errorNotice.tsx";
import { DemoNotice } from "./demoNotice.tsx";
import { rememberWebsite } from "./lastWebsite.ts";
import { NotFound } from "./notFound.tsx";
import { WaitingPage } from "./waitingPage.tsx";

type WebsitePageProps = { readonly children: (website: Website) => VNode };

/**
 * A page about one website, whose id is the second segment of the path. Shows it once the website is known. Its entry in pages.ts
 * says `of: "website"`, so that the header shows the choice of the website and the navigation.
 */
export function WebsitePage({ children }: WebsitePageProps) {
  const organizationId = session.value?.organizationId;
  useEffect(() => void loadWebsites(), [organizationId]);
  const state = websites.value;
  const website = state.kind === "loaded" ? state.websites.find(({ id }) => id === place.value.segments[1]) : undefined;
  const websiteId = website?.id;
  useEffect(() => {
    if (websiteId !== undefined) rememberWebsite(websiteId);
  }, [websiteId]);
  if (state.kind === "failed") return <ErrorNotice error={state.error} onRetry={() => void loadWebsites()} />;
  if (state.kind === "loading") return <WaitingPage />;
  if (website === undefined) return <NotFound />;
  return (
    <>
      <DemoNotice website={website} />
      {children(website)}
    </>
  );
}
