import { useEffect } from "preact/hooks";
import { t } from "../texts/texts.ts";

/** Sets the title of the browser's tab if the content says more than the page's own title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${t().app.name}`;
  });
}
