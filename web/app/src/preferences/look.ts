import { effect } from "@preact/signals";
import { sessionState } from "../api/session.ts";
import { basePath } from "../router/base.ts";
import { language, region } from "../texts/texts.ts";
import { theme } from "./theme.ts";

const yearSeconds = 31_536_000;

/**
 * Has the browser tell the service how it shows pages, which draws the first view alike (src/gateway/http/look.ts). Only people who are signed in have this cookie:
 * nothing is drawn for others.
 */
export function startLook(): void {
  effect(() => {
    const { kind } = sessionState.value;
    if (kind === "loading" || kind === "failed") return;
    const look = kind === "none" ? "" : `${language.value}.${region.value}.${theme.value}`;
    const isKept = document.cookie.split("; ").includes(`lookout_look=${look}`);
    if (look === "" ? !document.cookie.includes("lookout_look=") : isKept) return;
    const seconds = look === "" ? 0 : yearSeconds;
    // biome-ignore lint/suspicious/noDocumentCookie: pages over plain HTTP have no cookie store.
    document.cookie = `lookout_look=${look}; Path=${basePath}; Max-Age=${seconds}; SameSite=Lax`;
  });
}
