import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { type PageEntry, type PageName, pages } from "../pages/pages.ts";
import { loadSettingsTexts } from "../texts/settings/settingsTexts.ts";
import { PageFailed } from "./pageFailed.tsx";
import { WaitingPage } from "./waitingPage.tsx";

const loaded = new Map<PageName, ComponentType>();

/** Has a page that is drawn from now on shown at once. */
export function keepLoaded(page: PageName, component: ComponentType): void {
  loaded.set(page, component);
}

/** Shows a page once its code is loaded. */
export function LoadedPage({ page }: { readonly page: PageName }) {
  const failed = useSignal<PageName | undefined>(undefined);
  const arrivals = useSignal(0);
  const Page = loaded.get(page);
  useEffect(() => {
    if (Page !== undefined) return;
    loadPage(pages[page]).then(
      (component) => {
        loaded.set(page, component);
        arrivals.value++;
      },
      () => {
        failed.value = page;
      },
    );
  }, [page, arrivals, failed]);
  // Reading this signal renders the page again when its code arrives.
  void arrivals.value;
  if (Page !== undefined) return <Page key={page} />;
  // Pages for anyone are small and soon there.
  if (failed.value !== page) return pages[page].for === "anyone" ? null : <WaitingPage />;
  return <PageFailed />;
}

/** Loads the page's code, and its texts that are not part of the first load. */
async function loadPage({ load, texts }: PageEntry): Promise<ComponentType> {
  const [module] = await Promise.all([load(), texts === "settings" ? loadSettingsTexts() : undefined]);
  return module.default;
}
