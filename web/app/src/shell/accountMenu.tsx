import type { Session } from "../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { chooseOwnLanguage } from "../api/personLanguage.ts";
import { signOut } from "../api/session.ts";
import { chooseTheme, theme, themes } from "../preferences/theme.ts";
import { goTo, hrefTo } from "../router/router.ts";
import { type Language, languages } from "../texts/languages.ts";
import { language, t } from "../texts/texts.ts";
import { Menu, MenuItem, MenuLink } from "../ui/menu.tsx";

/** Language, theme and sign-out. Also for people who are not signed in. */
export function AccountMenu({ session }: { readonly session: Session | undefined }) {
  const names = Object.keys(languages) as Language[];
  return (
    <Menu
      label={session === undefined ? t().account.language : t().account.menu}
      button={session === undefined ? languages[language.value].name : <Tile name={session.name || session.email} />}
      alignEnd
    >
      {session !== undefined && (
        <>
          <p class="menu-heading">{t().account.signedInAs(session.email)}</p>
          <MenuLink href={hrefTo(["account"])}>{t().navigation.account}</MenuLink>
          <MenuLink href={hrefTo(["organization"])}>{t().navigation.organization}</MenuLink>
          <hr class="menu-line" />
        </>
      )}
      <p class="menu-heading">{t().account.language}</p>
      {names.map((name) => (
        <MenuItem
          key={name}
          lang={name}
          isCurrent={language.value === name}
          onChoose={() => {
            void chooseOwnLanguage(name);
          }}
        >
          {languages[name].name}
        </MenuItem>
      ))}
      <p class="menu-heading">{t().account.theme}</p>
      {themes.map((name) => (
        <MenuItem key={name} isCurrent={theme.value === name} onChoose={() => chooseTheme(name)}>
          {t().account.themes[name]}
        </MenuItem>
      ))}
      {session !== undefined && (
        <>
          <hr class="menu-line" />
          <MenuItem onChoose={() => void leave()}>{t().account.signOut}</MenuItem>
        </>
      )}
    </Menu>
  );
}

/** The first letter of the name; screen readers hear all of it. */
function Tile({ name }: { readonly name: string }) {
  return (
    <>
      <span class="said">{name}</span>
      <span class="account-tile" aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </span>
    </>
  );
}

async function leave(): Promise<void> {
  await signOut();
  goTo(["sign-in"]);
}
