import type { ApiKeyScope } from "../../../../packages/client-js/src/valueSets.ts";
import { may } from "../api/session.ts";
import type { PageName } from "../pages/pages.ts";
import type { Texts } from "../texts/texts.ts";

export type NavigationEntry = {
  /** The page, whose path is /<page>/<website>. */
  readonly page: PageName;
  readonly name: (texts: Texts) => string;
  /** The scope needed to see it. */
  readonly scope: ApiKeyScope;
  /** The part of the page, as the third segment of the path. */
  readonly part?: string;
  /** A scope with which another entry leads there too. */
  readonly unless?: ApiKeyScope;
  /** Whether it is a tab of its own on a phone; the others are below "More". */
  readonly isTab: boolean;
};

/** The pages of a website, in the order in which they are shown. A further one is an entry here. */
const entries: readonly NavigationEntry[] = [
  { page: "dashboard", name: (t) => t.navigation.overview, scope: "read:data", isTab: true },
  { page: "realtime", name: (t) => t.navigation.realtime, scope: "read:data", isTab: true },
  { page: "uptime", name: (t) => t.navigation.uptime, scope: "read:uptime", isTab: true },
  { page: "links", name: (t) => t.navigation.links, scope: "read:links", isTab: true },
  { page: "status-pages", name: (t) => t.statusPages.title, scope: "read:uptime", isTab: false },
  // Whoever changes nothing has no settings, but sees goals and funnels.
  {
    page: "settings",
    part: "goals",
    name: (t) => t.navigation.goals,
    scope: "read:data",
    unless: "update",
    isTab: false,
  },
  { page: "settings", name: (t) => t.navigation.settings, scope: "update", isTab: false },
];

/** The pages of a website that the person's role may see. */
export function shownEntries(): readonly NavigationEntry[] {
  return entries.filter(({ scope, unless }) => may(scope) && (unless === undefined || !may(unless)));
}

/** The segments of the path to a page of a website. */
export function segmentsOf({ page, part }: NavigationEntry, websiteId: string): string[] {
  return part === undefined ? [page, websiteId] : [page, websiteId, part];
}
