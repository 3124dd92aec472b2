import { useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { passwordQuestion } from "./api/generatedPassword.ts";
import { session, sessionState } from "./api/session.ts";
import { type PageName, pages } from "./pages/pages.ts";
import { hostname } from "./router/base.ts";
import type { Place } from "./router/path.ts";
import { place } from "./router/router.ts";
import { goToSignIn } from "./router/signInReason.ts";
import { Commands } from "./shell/command/commands.tsx";
import { Header } from "./shell/header.tsx";
import { LoadedPage } from "./shell/loadedPage.tsx";
import { NotFound } from "./shell/notFound.tsx";
import { shownWebsite } from "./shell/shownWebsite.ts";
import { TabBar } from "./shell/tabBar.tsx";
import { WaitingPage } from "./shell/waitingPage.tsx";
import { t } from "./texts/texts.ts";
import { ErrorNotice } from "./ui/errorNotice.tsx";

/** The frame of every page, with the page of the current place. */
export function App() {
  const name = place.value.segments[0] ?? "";
  const page = pageAt(place.value);
  const main = useRef<HTMLElement>(null);
  const shownBefore = useRef(name);
  useLayoutEffect(() => {
    document.title = page === undefined || page === "" ? t().app.name : `${pages[page].title(t())} · ${t().app.name}`;
    // After a change of the page, screen readers and the keyboard start at its content.
    if (shownBefore.current !== name) main.current?.focus({ preventScroll: true });
    shownBefore.current = name;
  });
  useSignalEffect(askToSignIn);
  // Others may frame it, so nothing on it leads to what a session could do.
  const isBare = page === "shared" && place.value.segments.length > 2;
  const hasTabs = session.value !== undefined && shownWebsite.value !== undefined;
  return (
    <div class={hasTabs ? "shell shell-with-tabs" : "shell"}>
      <a class="skip" href="#main">
        {t().app.skipToContent}
      </a>
      {!isBare && <Header page={page} />}
      <main id="main" class="main" tabIndex={-1} ref={main}>
        {page === undefined ? <NotFound /> : <Guarded page={page} />}
      </main>
      <footer class="footer">
        <a href="docs" rel="external">
          {t().app.apiReference}
        </a>
        <a href="https://db-ip.com/" rel="noreferrer">
          {t().app.attribution}
        </a>
      </footer>
      {hasTabs && <TabBar />}
      {!isBare && <Commands />}
    </div>
  );
}

/** Delays a page for signed-in people until it is known who is signed in. */
function Guarded({ page }: { readonly page: PageName }) {
  const state = sessionState.value;
  if (pages[page].for === "anyone") return <LoadedPage page={page} />;
  if (state.kind === "signed in") {
    const question = passwordQuestion(state.session.hasGeneratedPassword, hostname.value);
    return <LoadedPage page={question === "before every page" ? "choose-password" : page} />;
  }
  return state.kind === "failed" ? <ErrorNotice error={state.error} /> : <WaitingPage />;
}

/** Redirects people who are not signed in to the sign-in, and from there back to where they wanted to go. */
function askToSignIn(): void {
  const { segments } = place.value;
  const name = segments[0] ?? "";
  const state = sessionState.value;
  if (state.kind !== "none" || !isPage(name) || pages[name].for === "anyone") return;
  goToSignIn(state.hasEnded ? "session-ended" : undefined, location.href.slice(document.baseURI.length));
}

/** The page of a place; undefined where there is none. */
export function pageAt({ segments }: Pick<Place, "segments">): PageName | undefined {
  const name = segments[0] ?? "";
  return isPage(name) ? name : undefined;
}

function isPage(name: string): name is PageName {
  return Object.hasOwn(pages, name);
}
