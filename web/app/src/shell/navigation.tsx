import { hrefTo, place } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { segmentsOf, shownEntries } from "./navigationEntries.ts";
import { shownWebsite } from "./shownWebsite.ts";

/** Leads to the pages of the website that is shown. On a phone the tabs at the bottom do. */
export function Navigation() {
  const [page] = place.value.segments;
  const websiteId = shownWebsite.value;
  const shown = shownEntries();
  if (websiteId === undefined || shown.length < 2) return null;
  return (
    <nav class="navigation header-navigation" aria-label={t().navigation.label}>
      <ul>
        {shown.map((entry) => (
          <li key={entry.page}>
            <a href={hrefTo(segmentsOf(entry, websiteId))} aria-current={entry.page === page ? "page" : undefined}>
              {entry.name(t())}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
