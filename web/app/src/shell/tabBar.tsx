import { hrefTo, place } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { Menu, MenuItem, MenuLink } from "../ui/menu.tsx";
import { openCommands } from "./command/commandState.ts";
import { segmentsOf, shownEntries } from "./navigationEntries.ts";
import { shownWebsite } from "./shownWebsite.ts";

/** The pages of a website at the bottom of a phone, within reach of a thumb. Wider windows have them in the header. */
export function TabBar() {
  const [page] = place.value.segments;
  const websiteId = shownWebsite.value;
  if (websiteId === undefined) return null;
  const { navigation } = t();
  const shown = shownEntries();
  const others = shown.filter(({ isTab }) => !isTab);
  const currentOther = others.find((entry) => entry.page === page);
  return (
    <nav class="tab-bar" aria-label={navigation.label}>
      <ul>
        {shown
          .filter(({ isTab }) => isTab)
          .map((entry) => (
            <li key={entry.page}>
              <a
                class="tab-bar-entry"
                href={hrefTo(segmentsOf(entry, websiteId))}
                aria-current={entry.page === page ? "page" : undefined}
              >
                {entry.name(t())}
              </a>
            </li>
          ))}
        <li data-current={currentOther !== undefined}>
          <Menu label={currentOther?.name(t()) ?? navigation.label} button={navigation.more} alignEnd>
            {others.map((entry) => (
              <MenuLink key={entry.page} href={hrefTo(segmentsOf(entry, websiteId))}>
                {entry.name(t())}
              </MenuLink>
            ))}
            <MenuItem onChoose={openCommands}>{navigation.search}</MenuItem>
          </Menu>
        </li>
      </ul>
    </nav>
  );
}
