import { tileColour } from "./tileColour.ts";

/** A coloured tile with the first letter of a name, which people recognize faster than the name. The name stands beside it. */
export function LetterTile({ name }: { readonly name: string }) {
  return (
    <span class="letter-tile" data-colour={tileColour(name)} aria-hidden="true">
      {firstLetter(name)}
    </span>
  );
}

/** The first letter or digit; a name without any has its first character. */
function firstLetter(name: string): string {
  const trimmed = name.trim();
  return /[\p{L}\p{N}]/u.exec(trimmed)?.[0] ?? [...trimmed][0] ?? "";
}
