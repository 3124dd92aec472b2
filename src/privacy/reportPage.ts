import { htmlPage } from "../call/htmlPage.ts";
import { type Html, html } from "../text/html.ts";
import { type DescribedPoint, type Report, showIn } from "./describeReport.ts";
import type { PointState } from "./points/point.ts";
import type { PrivacyTexts } from "./texts/en.ts";

/** A report as a page that loads nothing and runs nothing, to be printed or kept. */
export function reportPage(report: Report, name: string, texts: PrivacyTexts): string {
  const { page } = texts;
  const { number } = showIn(texts.language);
  const count = (state: PointState) => number(report.points.filter((point) => point.state === state).length);
  const body = html`<p>${page.made(minuteOf(report.generatedAt))}</p>
    <p>${page.sums(count("fulfilled"), count("broken"), count("unknown"))}</p><p>${report.disclaimer}</p>
    ${report.points.map((point) => pointHtml(point, texts))}
    <section><h2>${page.policy}</h2><p>${report.policyText}</p></section>`;
  return htmlPage(page.title(name), body, texts.language);
}

function pointHtml(point: DescribedPoint, texts: PrivacyTexts): Html {
  const { page, authorities } = texts;
  const { number, list } = showIn(texts.language);
  const { state } = point;
  const askedBy = list(point.authorities.map((each) => authorities[each]));
  const brokenBy = point.brokenBy.length === 0 ? page.noSetting : list(point.brokenBy);
  const settings = point.settings.map(({ name, value }) => html`<li><code>${name}</code>: ${value}</li>`);
  const counts = point.counts.map(({ name, value, oldestAt }) => {
    const figure = value === undefined ? page.notKnown : number(value);
    const oldest = oldestAt === undefined ? "" : ` (${page.oldest(minuteOf(oldestAt))})`;
    return html`<li><code>${name}</code>: ${figure}${oldest}</li>`;
  });
  return html`<section class="${state}"><h2>${point.title}</h2><p class="state">${page.states[state]}</p>
    <p>${point.requirement}</p><p><strong>${point.finding}</strong></p><dl>
    <dt>${page.askedBy}</dt><dd>${askedBy}</dd>
    ${state === "broken" ? html`<dt>${page.brokenBy}</dt><dd>${brokenBy}</dd>` : ""}
    ${settings.length === 0 ? "" : html`<dt>${page.settings}</dt><dd><ul>${settings}</ul></dd>`}
    ${counts.length === 0 ? "" : html`<dt>${page.counts}</dt><dd><ul>${counts}</ul></dd>`}</dl></section>`;
}

/** A time to the minute. */
function minuteOf(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
