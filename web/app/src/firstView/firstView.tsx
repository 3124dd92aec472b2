/**
 * What the service runs to draw the overview of a website into its first response (src/gateway/http/firstView.ts): the app's own components, with the answers
 * that they would ask for. web/app/build.ts makes one file of it. Each function works from start to end without waiting, so that nothing of one person
 * is left when another one's page is drawn.
 */
import { create, type JsonValue, toJson } from "@bufbuild/protobuf";
import { renderToString } from "preact-render-to-string";
import { QueryRequestSchema } from "../../../../packages/client-js/src/gen/lookout/v1/query_pb.ts";
import { queryRequestOf } from "../../../../packages/client-js/src/query.ts";
import { passwordQuestion } from "../api/generatedPassword.ts";
import { setPageStart } from "../api/pageStart.ts";
import { loadSession, session, sessionState } from "../api/session.ts";
import { loadWebsites, websites } from "../api/websites.ts";
import { App } from "../app.tsx";
import Dashboard from "../pages/dashboard/dashboard.tsx";
import { firstQuestion } from "../pages/dashboard/firstQuestion.ts";
import { view as currentView } from "../pages/dashboard/view/currentView.ts";
import { hostname } from "../router/base.ts";
import { readPlace } from "../router/path.ts";
import { place } from "../router/router.ts";
import { platform } from "../shell/command/commandKeys.ts";
import { keepLoaded } from "../shell/loadedPage.tsx";
import { texts as de } from "../texts/de.ts";
import { texts as en, type Texts } from "../texts/en.ts";
import { texts as fr } from "../texts/fr.ts";
import { isLanguage, type Language } from "../texts/languages.ts";
import { showTexts } from "../texts/texts.ts";

/** Whose page is drawn, and where. */
export type Visit = {
  /** The path below that of the service, and the query. */
  readonly address: string;
  /** The answers of GetSession and ListWebsites as JSON. */
  readonly session: string;
  readonly websites: string;
  readonly language: string;
  /** In whose form dates and numbers are written, the best one first. */
  readonly tags: readonly string[];
  /** The host that it is opened at. */
  readonly hostname: string;
  /** What the browser calls its device. */
  readonly platform: string;
};

/** The first question of a page: as the app knows it, and as the service takes it. */
export type FirstQuestion = { readonly question: string; readonly request: JsonValue };

const allTexts: Readonly<Record<Language, Texts>> = { en, de, fr };

keepLoaded("dashboard", Dashboard);

/** What the overview asks first. Undefined where the service draws nothing: on other pages, and on overviews that show something else before their figures. */
export function questionOf(visit: Visit): FirstQuestion | undefined {
  // Without reading the answers: most pages are others.
  const [page, id, ...deeper] = placeOf(visit).segments;
  if (page !== "dashboard" || id === undefined || deeper.length > 0) return undefined;
  return during(visit, {}, () => {
    if (asksForPassword()) return undefined;
    const { value: state } = websites;
    const website = state.kind === "loaded" ? state.websites.find((one) => one.id === id) : undefined;
    const question = website === undefined ? undefined : firstQuestion(website, currentView.value, Date.now());
    if (question === undefined) return undefined;
    const request = toJson(QueryRequestSchema, create(QueryRequestSchema, queryRequestOf(question)));
    return { question: JSON.stringify(question), request };
  });
}

/** The page's elements. Without an answer they are those of figures that are on their way. */
export function draw(visit: Visit, first: { readonly question: string; readonly answer: string } | undefined): string {
  const known: Readonly<Record<string, JsonValue>> =
    first === undefined ? {} : { question: first.question, answer: JSON.parse(first.answer) };
  return during(visit, known, () => renderToString(<App />));
}

/** Whether the app asks for a new password instead of showing the page. */
function asksForPassword(): boolean {
  return passwordQuestion(session.value?.hasGeneratedPassword ?? true, hostname.value) === "before every page";
}

function placeOf({ address }: Visit) {
  return readPlace(new URL(address, "http://service.invalid/"), "/");
}

function during<T>(visit: Visit, first: Readonly<Record<string, JsonValue>>, work: () => T): T {
  const { language, tags } = visit;
  setPageStart({ session: JSON.parse(visit.session), websites: JSON.parse(visit.websites), ...first });
  place.value = placeOf(visit);
  platform.value = visit.platform;
  hostname.value = visit.hostname;
  const name = isLanguage(language) ? language : "en";
  showTexts(name, allTexts[name], tags);
  // What the page has in it is known at once: neither waits.
  void loadSession();
  void loadWebsites(true);
  try {
    return work();
  } finally {
    setPageStart({});
    sessionState.value = { kind: "loading" };
    websites.value = { kind: "loading" };
    place.value = { segments: [], query: new URLSearchParams(), fragment: "" };
  }
}
