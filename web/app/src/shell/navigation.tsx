import { may } from "../api/session.ts";
import type { PageName } from "../pages/pages.ts";
import { hrefTo, place } from "../router/router.ts";
import { type Texts, t } from "../texts/texts.ts";

type NavigationEntry = {
  /** The page, whose path is /<page>/<website>. */
  readonly page: PageName;
  readonly name: (texts: Texts) => string;
  /** The scope needed to see it. */
  readonly scope: string;
};

/** The pages of a website, in the order in which they are shown. A further one is an entry here. */
const entries: readonly NavigationEntry[] = [
  { page: "dashboard", name: (t) => t.navigation.overview, scope: "read:data" },
  { page: "uptime", name: (t) => t.navigation.uptime, scope: "read:uptime" },
  { page: "links", name: (t) => t.navigation.links, scope: "read:links" },
  { page: "status-pages", name: (t) => t.statusPages.title, scope: "read:uptime" },
  { page: "settings", name: (t) => t.navigation.settings, scope: "update" },
];

/** Leads from one page of a website to the others. */
export function Navigation() {
  const [page, websiteId] = place.value.segments;
  const shown = entries.filter(({ scope }) => may(scope));
  if (websiteId === undefined || shown.length < 2) return null;
  return (
    <nav class="navigation" aria-label={t().navigation.label}>
      <ul>
        {shown.map((entry) => (
          <li key={entry.page}>
            <a href={hrefTo([entry.page, websiteId])} aria-current={entry.page === page ? "page" : undefined}>
              {entry.name(t())}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
