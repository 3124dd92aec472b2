import icon from "../../icon.svg";
import { session } from "../api/session.ts";
import { type PageEntry, type PageName, pages } from "../pages/pages.ts";
import { hrefTo } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { AccountMenu } from "./accountMenu.tsx";
import { Navigation } from "./navigation.tsx";
import { WebsiteMenu } from "./websiteMenu.tsx";

/** The line above every page. On pages of a website it has the choice of the website and the links to its other pages. */
export function Header({ page }: { readonly page: PageName | undefined }) {
  const entry: PageEntry | undefined = page === undefined ? undefined : pages[page];
  const isOfWebsite = entry?.of === "website" && session.value !== undefined;
  return (
    <header class="header">
      <div class="header-inner">
        <a class="brand" href={hrefTo([])} aria-label={t().app.name}>
          <img src={icon} alt="" width="24" height="24" />
          <span class="brand-name">{t().app.name}</span>
        </a>
        {isOfWebsite && (
          <>
            <WebsiteMenu />
            <Navigation />
          </>
        )}
        <div class="header-end">
          <AccountMenu session={session.value} />
        </div>
      </div>
    </header>
  );
}
