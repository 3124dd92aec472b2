import { render } from "preact";
import { dropPageStart } from "./api/pageStart.ts";
import { loadSession } from "./api/session.ts";
import { App } from "./app.tsx";
import { startTheme } from "./preferences/theme.ts";
import { startRouter } from "./router/router.ts";
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
await startTexts();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
setTimeout(dropPageStart, startLastsMs);
