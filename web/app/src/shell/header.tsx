import icon from "../../icon.svg";
import { session } from "../api/session.ts";
import { hrefTo } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { AccountMenu } from "./accountMenu.tsx";
import { headerSlot } from "./headerSlot.ts";

/** The line above every page. A page puts what belongs to it there with `useHeaderSlot`. */
export function Header() {
  const Slot = headerSlot.value;
  return (
    <header class="header">
      <div class="header-inner">
        <a class="brand" href={hrefTo([])} aria-label={t().app.name}>
          <img src={icon} alt="" width="24" height="24" />
          <span class="brand-name">{t().app.name}</span>
        </a>
        {Slot !== undefined && <Slot />}
        <div class="header-end">
          <AccountMenu session={session.value} />
        </div>
      </div>
    </header>
  );
}
