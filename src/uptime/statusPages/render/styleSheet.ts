import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [tokens, own] = ["../../../../web/app/src/styles/tokens.css", "statusPage.css"].map((path) =>
  readFileSync(new URL(path, import.meta.url), "utf8"),
);

/** The tokens of the web app, then what is only on status pages. */
export const styleSheet = Buffer.from(`${tokens}${own}`);

/** Its name changes with its content. A slug has no dot, so no page has this address. */
export const styleName = `style-${createHash("sha256").update(styleSheet).digest("base64url").slice(0, 10)}.css`;

/** A colour of the tokens in both themes. */
export function tokenPair(name: string): { readonly light: string; readonly dark: string } {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens ?? "");
  const [, light, dark] = found ?? [];
  if (light === undefined || dark === undefined) throw new Error(`tokens.css has no colour ${name}`);
  return { light, dark };
}
