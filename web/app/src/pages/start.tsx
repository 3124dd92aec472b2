import { useEffect } from "preact/hooks";
import { may, session } from "../api/session.ts";
import { loadWebsites, websites } from "../api/websites.ts";
import { readStored } from "../preferences/stored.ts";
import { goTo, hrefTo } from "../router/router.ts";
import { WaitingPage } from "../shell/waitingPage.tsx";
import { t } from "../texts/texts.ts";
import { ErrorNotice } from "../ui/errorNotice.tsx";

/** Redirects to the website that was viewed last, otherwise to the first one. */
export default function Start() {
  const organizationId = session.value?.organizationId;
  useEffect(() => void loadWebsites(), [organizationId]);
  const state = websites.value;
  const last = readStored("website");
  const found =
    state.kind === "loaded" ? (state.websites.find(({ id }) => id === last) ?? state.websites[0]) : undefined;
  useEffect(() => {
    if (found !== undefined) goTo(["dashboard", found.id], { replace: true });
  }, [found]);
  if (state.kind === "failed") return <ErrorNotice error={state.error} onRetry={() => void loadWebsites()} />;
  if (state.kind === "loading" || found !== undefined) return <WaitingPage />;
  return (
    <section class="card">
      <h1>{t().websites.none}</h1>
      <p>{may("admin") ? t().websites.add : t().websites.noneToSee}</p>
      {may("admin") && (
        <a class="button button-main" href={hrefTo(["new-website"])}>
          {t().navigation.newWebsite}
        </a>
      )}
    </section>
  );
}
