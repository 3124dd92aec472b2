import { render } from "preact";
import { dropEarlyAnswers } from "./api/earlyAnswers.ts";
import { dropPageStart } from "./api/pageStart.ts";
import { loadSession, session } from "./api/session.ts";
import { loadWebsites } from "./api/websites.ts";
import { App, pageAt } from "./app.tsx";
import { type PageEntry, pages } from "./pages/pages.ts";
import { startTheme } from "./preferences/theme.ts";
import { place, startRouter } from "./router/router.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/menu.css";
import "./styles/forcedColours.css";
import { keepLoaded } from "./shell/loadedPage.tsx";
import { repairLanguage } from "./texts/browserLanguage.ts";
import { startTexts } from "./texts/texts.ts";

/** What the service has put into the page is used for the first view only. */
const startLastsMs = 10_000;

const root = document.getElementById("app");
/** Whether the service has drawn the page. */
const isDrawn = root !== null && root.firstElementChild !== null;

repairLanguage(navigator);
startTheme();
startRouter();
void loadSession();
// What the page has in it is known at once; nothing waits for a call here.
void loadWebsites();
const page = startPage();
await startTexts();
// What the service has drawn stays until the app can draw the same.
if (isDrawn) await page;
if (root !== null) render(<App />, root);
void import("./afterFirst.ts").then(({ startAfterFirst }) => startAfterFirst());
setTimeout(() => {
  dropPageStart();
  dropEarlyAnswers();
}, startLastsMs);

/** Lets the page ask what it needs first, while it and its texts are still on their way. */
async function startPage(): Promise<void> {
  const page = pageAt(place.peek());
  // Others are sent elsewhere.
  if (page === undefined || session.peek() === undefined) return;
  const entry: PageEntry = pages[page];
  try {
    const { default: component, start } = await entry.load();
    start?.();
    if (isDrawn) keepLoaded(page, component);
  } catch {
    // The page says that it could not be loaded.
  }
}
