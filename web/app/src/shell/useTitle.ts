import { useEffect } from "preact/hooks";
import { t } from "../texts/texts.ts";

/** Names the browser's tab after what a page shows, where that says more than the page's own title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${t().app.name}`;
  });
}
