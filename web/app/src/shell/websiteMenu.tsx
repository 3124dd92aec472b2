import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Website } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { mayForAll, session } from "../api/session.ts";
import { loadWebsites, websites } from "../api/websites.ts";
import { type PageEntry, type PageName, pages } from "../pages/pages.ts";
import { goTo, hrefTo, place } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { LetterTile } from "../ui/letterTile.tsx";
import { Menu, MenuItem, MenuLink } from "../ui/menu.tsx";
import { leastToSearch, matchingWebsites } from "./matchingWebsites.ts";
import { shownWebsite } from "./shownWebsite.ts";

/**
 * The choice of the website, in the header. It leads to the same page of the other website, from other pages to its overview. The
 * view of the overview is kept, except for its filters, which belong to the previous website.
 */
export function WebsiteMenu() {
  const organizationId = session.value?.organizationId;
  useEffect(() => void loadWebsites(), [organizationId]);
  const state = websites.value;
  const { websites: texts } = t();
  if (state.kind === "loading")
    return (
      <div class="menu-anchor" aria-hidden="true">
        <span class="button menu-waiting" />
      </div>
    );
  if (state.kind !== "loaded" || state.websites.length === 0) return null;
  const current = state.websites.find(({ id }) => id === shownWebsite.value);
  const isHome = place.value.segments.length === 0;
  return (
    <Menu
      label={texts.switch}
      button={
        current === undefined ? (
          isHome ? (
            texts.all
          ) : (
            texts.choose
          )
        ) : (
          <>
            <LetterTile name={current.name} />
            <span class="menu-website">{current.name}</span>
          </>
        )
      }
    >
      <Choices websites={state.websites} currentId={current?.id} isHome={isHome} />
    </Menu>
  );
}

type ChoicesProps = {
  readonly websites: readonly Website[];
  readonly currentId: string | undefined;
  readonly isHome: boolean;
};

/** With a search where the list is long. Enter chooses the first one that is found. */
function Choices({ websites: all, currentId, isHome }: ChoicesProps) {
  const { websites: texts, navigation } = t();
  const text = useSignal("");
  const found = matchingWebsites(all, text.value);
  const choose = ({ id }: Website): void => {
    const [name = ""] = place.value.segments;
    const page = isOfWebsite(name) ? name : "dashboard";
    goTo([page, id], { query: page === name && page === "dashboard" ? keptQuery() : undefined });
  };
  return (
    <>
      {all.length >= leastToSearch && (
        <form
          class="menu-search"
          onSubmit={(event) => {
            event.preventDefault();
            const [first] = found;
            if (first === undefined) event.stopPropagation();
            else choose(first);
          }}
        >
          <input
            type="search"
            class="input"
            aria-label={texts.search}
            placeholder={texts.search}
            autoComplete="off"
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
            }}
          />
        </form>
      )}
      <div class="menu-websites">
        {found.map((website) => (
          <MenuItem key={website.id} isCurrent={website.id === currentId} onChoose={() => choose(website)}>
            <LetterTile name={website.name} />
            <span>
              {website.name}
              {website.name !== website.domain && <span class="field-hint menu-hint">{website.domain}</span>}
            </span>
          </MenuItem>
        ))}
        {found.length === 0 && (
          <p class="nothing" role="status">
            {texts.noneFound}
          </p>
        )}
      </div>
      {(all.length > 1 || mayForAll("admin")) && <hr class="menu-line" />}
      {all.length > 1 && !isHome && <MenuLink href={hrefTo([])}>{texts.all}</MenuLink>}
      {mayForAll("admin") && <MenuLink href={hrefTo(["new-website"])}>{navigation.newWebsite}</MenuLink>}
    </>
  );
}

function isOfWebsite(name: string): boolean {
  const entry: PageEntry | undefined = Object.hasOwn(pages, name) ? pages[name as PageName] : undefined;
  return entry?.of === "website";
}

function keptQuery(): URLSearchParams {
  const query = new URLSearchParams(place.value.query);
  query.delete("filter");
  return query;
}
