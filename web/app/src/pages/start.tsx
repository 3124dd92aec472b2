import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Website } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { mayForAll, session } from "../api/session.ts";
import { loadWebsites, websites } from "../api/websites.ts";
import { goTo, hrefTo } from "../router/router.ts";
import { PageFailed } from "../shell/pageFailed.tsx";
import { WaitingPage } from "../shell/waitingPage.tsx";
import { loadSettingsTexts } from "../texts/settings/settingsTexts.ts";
import { t } from "../texts/texts.ts";
import { ErrorNotice } from "../ui/errorNotice.tsx";

/** All websites; a single one is redirected to. */
export default function Start() {
  const organizationId = session.value?.organizationId;
  useEffect(() => void loadWebsites(), [organizationId]);
  const state = websites.value;
  const only = state.kind === "loaded" && state.websites.length === 1 ? state.websites[0] : undefined;
  useEffect(() => {
    if (only !== undefined) goTo(["dashboard", only.id], { replace: true });
  }, [only]);
  if (state.kind === "failed") return <ErrorNotice error={state.error} onRetry={() => void loadWebsites()} />;
  if (state.kind === "loading" || only !== undefined) return <WaitingPage />;
  if (state.websites.length > 1) return <AllWebsites key={organizationId} websites={state.websites} />;
  return (
    <section class="card">
      <h1>{t().websites.none}</h1>
      <p>{mayForAll("admin") ? t().websites.add : t().websites.noneToSee}</p>
      {mayForAll("admin") && (
        <a class="button button-main" href={hrefTo(["new-website"])}>
          {t().navigation.newWebsite}
        </a>
      )}
    </section>
  );
}

type HomeProps = { readonly websites: readonly Website[] };

/** Its code and texts are only loaded for organizations with several websites. */
function AllWebsites(props: HomeProps) {
  const loaded = useSignal<ComponentType<HomeProps> | undefined>(undefined);
  const hasFailed = useSignal(false);
  useEffect(() => {
    Promise.all([import("./home/home.tsx"), loadSettingsTexts()]).then(
      ([{ Home }]) => {
        loaded.value = Home;
      },
      () => {
        hasFailed.value = true;
      },
    );
  }, [loaded, hasFailed]);
  const Loaded = loaded.value;
  if (Loaded !== undefined) return <Loaded {...props} />;
  if (!hasFailed.value) return <WaitingPage />;
  return <PageFailed />;
}
