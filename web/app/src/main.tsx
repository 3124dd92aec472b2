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
import { repairLanguage } from "./texts/browserLanguage.ts";
import { startTexts } from "./texts/texts.ts";
import { startVisibleControls } from "./ui/visibleControls.ts";

/** What the service has put into the page is used for the first view only. */
const startLastsMs = 10_000;

repairLanguage(navigator);
startVisibleControls();
startTheme();
startRouter();
void loadSession();
// What the page has in it is known at once; nothing waits for a call here.
void loadWebsites();
void startPage();
await startTexts();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
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
    (await entry.load()).start?.();
  } catch {
    // The page says that it could not be loaded.
  }
}
