import type { IconName } from "./iconOf.ts";
import spriteUrl from "./sprite.svg";

/** A small picture before a name. It is decoration: the name says the same. */
export function Icon({ icon }: { readonly icon: IconName }) {
  if ("letters" in icon)
    return <span class="icon icon-letters" data-tone={icon.tone} data-letters={icon.letters} aria-hidden="true" />;
  return (
    <svg class={icon.isFlag === true ? "icon icon-flag" : "icon"} aria-hidden="true">
      <use href={`${spriteUrl}#${icon.symbol}`} />
    </svg>
  );
}
