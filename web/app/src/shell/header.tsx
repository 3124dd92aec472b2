import icon from "../../icon.svg";
import { session } from "../api/session.ts";
import { type PageEntry, type PageName, pages } from "../pages/pages.ts";
import { hrefTo } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { AccountMenu } from "./accountMenu.tsx";
import { commandKeys, platform } from "./command/commandKeys.ts";
import { openCommands } from "./command/commandState.ts";
import { Navigation } from "./navigation.tsx";
import { WebsiteMenu } from "./websiteMenu.tsx";

/**
 * The line above every page. People who are signed in have the choice of the website, and on its pages and beside them the links to its others. The sign-in has the choice of the
 * language below its card.
 */
export function Header({ page }: { readonly page: PageName | undefined }) {
  const entry: PageEntry | undefined = page === undefined ? undefined : pages[page];
  const isSignedIn = session.value !== undefined && entry?.for === "session";
  return (
    <header class="header">
      <div class="header-inner">
        <a class="brand" href={hrefTo([])} aria-label={t().app.name}>
          <img src={icon} alt="" width="24" height="24" />
          <span class="brand-name">{t().app.name}</span>
        </a>
        {isSignedIn && <WebsiteMenu />}
        {isSignedIn && <Navigation />}
        <div class="header-end">
          {isSignedIn && <SearchButton />}
          {page !== "sign-in" && <AccountMenu session={session.value} />}
        </div>
      </div>
    </header>
  );
}

function SearchButton() {
  return (
    <button type="button" class="search-button" aria-haspopup="dialog" onClick={openCommands}>
      <span>{t().navigation.search}</span>
      <span class="search-keys" aria-hidden="true">
        <kbd>{commandKeys(platform.value)}</kbd>
      </span>
    </button>
  );
}
