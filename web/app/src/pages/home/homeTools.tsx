import type { RefObject } from "preact";
import { mayForAll } from "../../api/session.ts";
import { hrefTo } from "../../router/router.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { type Sorting, sortings } from "./orderWebsites.ts";

type HomeToolsProps = {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onSearch: (text: string) => void;
  /** All tags; without any there is no choice of one. */
  readonly tags: readonly string[];
  readonly tag: string | undefined;
  readonly onTag: (tag: string | undefined) => void;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
};

/** What the start page shows, and in which order. */
export function HomeTools({ search, onSearch, tags, tag, onTag, sorting, onSort }: HomeToolsProps) {
  const { home, websites, navigation } = allTexts();
  return (
    <div class="home-tools">
      <input
        ref={search}
        type="search"
        class="input home-search"
        aria-label={websites.search}
        placeholder={websites.search}
        autoComplete="off"
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      {tags.length > 0 && (
        <Menu label={home.tag} button={tag ?? home.anyTag} alignEnd>
          <MenuItem isCurrent={tag === undefined} onChoose={() => onTag(undefined)}>
            {home.anyTag}
          </MenuItem>
          {tags.map((name) => (
            <MenuItem key={name} isCurrent={tag === name} onChoose={() => onTag(name)}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      )}
      <Menu label={home.sort} button={home.sortings[sorting]} alignEnd>
        {sortings.map((name) => (
          <MenuItem key={name} isCurrent={sorting === name} onChoose={() => onSort(name)}>
            {home.sortings[name]}
          </MenuItem>
        ))}
      </Menu>
      {mayForAll("admin") && (
        <a class="button button-main" href={hrefTo(["new-website"])}>
          {navigation.newWebsite}
        </a>
      )}
    </div>
  );
}
