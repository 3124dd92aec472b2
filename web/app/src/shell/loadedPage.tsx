import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { type PageName, pages } from "../pages/pages.ts";
import { t } from "../texts/texts.ts";

const loaded = new Map<PageName, ComponentType>();

/** Shows a page as soon as its code is there. */
export function LoadedPage({ page }: { readonly page: PageName }) {
  const failed = useSignal<PageName | undefined>(undefined);
  const arrivals = useSignal(0);
  const Page = loaded.get(page);
  useEffect(() => {
    if (loaded.has(page)) return;
    pages[page].load().then(
      (module) => {
        loaded.set(page, module.default);
        arrivals.value++;
      },
      () => {
        failed.value = page;
      },
    );
  }, [page, arrivals, failed]);
  // Reading it draws the page anew when its code arrives.
  void arrivals.value;
  if (Page !== undefined) return <Page key={page} />;
  if (failed.value !== page) return null;
  return (
    <section class="card" role="alert">
      <h1>{t().app.pageFailed}</h1>
      <button type="button" class="button" onClick={() => location.reload()}>
        {t().app.retry}
      </button>
    </section>
  );
}
