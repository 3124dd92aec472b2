import { render } from "preact";
import { loadSession } from "./api/session.ts";
import { App } from "./app.tsx";
import { startTheme } from "./preferences/theme.ts";
import { startRouter } from "./router/router.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/menu.css";
import { startTexts } from "./texts/texts.ts";

startTheme();
startRouter();
void loadSession();
await startTexts();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
