import { type Html, html } from "../../../text/html.ts";
import type { PageView } from "../read/pageView.ts";

type Brand = Pick<PageView, "title" | "logoText" | "logo">;

const heightPx = 40;
const mostWidthPx = 200;

/** The picture of a page, else the first letter of its name. `base` leads to /status/. */
export function signHtml({ title, logoText, logo }: Brand, base: string): Html {
  if (logo === null) {
    const name = logoText === "" ? title : logoText;
    return html`<span class="tile" aria-hidden="true">${String.fromCodePoint(name.codePointAt(0) ?? 32).toUpperCase()}</span>`;
  }
  const scale = Math.min(heightPx / logo.height, mostWidthPx / logo.width);
  const [width, height] = [logo.width, logo.height].map((px) => Math.max(1, Math.round(px * scale)));
  return html`<img class="picture" src="${base}${logo.name}" alt="" width="${width ?? 1}" height="${height ?? 1}">`;
}

/** The picture, the name and the title of a page. */
export function brandHtml(brand: Brand): Html {
  const { title, logoText } = brand;
  return html`<div class="brand">${signHtml(brand, "")}
    <div>${logoText === "" ? "" : html`<p class="logo">${logoText}</p>`}<h1>${title}</h1></div></div>`;
}

/** The style sheets of a page, from /status/ on. */
export function stylesOf({ accentColor }: Pick<PageView, "accentColor">, styleName: string): string[] {
  return accentColor === "" ? [styleName] : [styleName, `accent-${accentColor.slice(1)}.css`];
}
