import { type Html, html } from "../../../text/html.ts";
import type { PageView } from "../read/pageView.ts";
import { otherLanguages } from "../texts/statusTexts.ts";
import { offeredZones } from "../texts/zones.ts";
import type { Writer } from "./format.ts";

/** Whose times the page shows and how to see others, the badge, and the other languages. */
export function footHtml({ slug }: Pick<PageView, "slug">, writer: Writer): Html {
  const { texts, reader } = writer;
  const zone = texts.zones[reader.zoneBy](reader.zone);
  const tz = reader.zoneBy === "address" ? `&tz=${encodeURIComponent(reader.zone)}` : "";
  const languages = otherLanguages(reader.language).map(
    ({ language, name }) =>
      html`<a href="${slug}?lang=${language}${tz}" hreflang="${language}" lang="${language}">${name}</a> `,
  );
  return html`<footer><p>${zone} ${reader.zone === "UTC" ? "" : `${texts.utcToo} `}${texts.utcDays}</p>
    ${zoneForm(slug, writer)}<p><a href="${slug}/badge.svg">${texts.badge}</a></p><p>${languages}</p></footer>`;
}

/** No browser sends its time zone, so a page without script lets people choose. The address keeps the choice. */
function zoneForm(slug: string, { texts, reader }: Writer): Html {
  const isOffered = offeredZones.some((zone) => zone === reader.zone);
  const zones = isOffered ? offeredZones : [reader.zone, ...offeredZones];
  const options = zones.map((zone) => html`<option${zone === reader.zone ? html` selected` : ""}>${zone}</option>`);
  return html`<details><summary>${texts.chooseZone}</summary><form action="${slug}">
    ${reader.isLanguageNamed ? html`<input type="hidden" name="lang" value="${reader.language}">` : ""}
    <label>${texts.zone} <select name="tz">${options}</select></label> <button>${texts.showZone}</button></form></details>`;
}
