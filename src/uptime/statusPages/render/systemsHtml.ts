import { type Html, html } from "../../../text/html.ts";
import type { ShownMonitor } from "../../figures/shownMonitor.ts";
import { shownDays } from "../read/pageFacts.ts";
import type { PageView } from "../read/pageView.ts";
import { barsSvg, notableDays } from "./bars.ts";
import { formatDay, formatPercent, type Writer } from "./format.ts";
import { knownStatus, statusText } from "./statusName.ts";

/** The monitors of a page, by their groups. */
export function systemsHtml({ groups, isCurrent }: PageView, writer: Writer): Html {
  const { texts } = writer;
  if (groups.every(({ monitors }) => monitors.length === 0))
    return html`<section><h2>${texts.systems}</h2><p class="soft">${texts.noMonitors}</p></section>`;
  const shown = groups.map(
    ({ name, monitors }) => html`<section><h2>${name === "" ? texts.systems : name}</h2><ul class="monitors">
      ${monitors.map((monitor) => monitorHtml(monitor, isCurrent, writer))}</ul></section>`,
  );
  return html`${shown}${legendHtml(writer)}`;
}

/** The forms of bars; the sentence is for people who do not see them. */
function legendHtml({ texts }: Writer): Html {
  const swatches = (["up", "degraded", "partly", "down", "unknown"] as const).map(
    (kind) => html`<li class="swatch is-${kind}">${texts.swatches[kind]}</li>`,
  );
  return html`<div class="line soft legend"><span aria-hidden="true">${texts.daysAgo(shownDays)}</span><ul aria-hidden="true">${swatches}</ul>
    <span aria-hidden="true">${texts.today}</span><p class="said">${texts.legend}</p></div>`;
}

function monitorHtml(monitor: ShownMonitor, isCurrent: boolean, writer: Writer): Html {
  const { texts } = writer;
  const status = statusText(monitor.status, texts);
  const shown = isCurrent || monitor.status === "unknown" ? status : texts.lastKnown(status);
  const firstChecked = monitor.days.findIndex(({ coveragePercent }) => coveragePercent > 0);
  const percent = firstChecked === -1 ? texts.noChecks : formatPercent(monitor.uptimePercent, writer);
  const since = firstChecked > 0 ? monitor.days[firstChecked] : undefined;
  return html`<li class="monitor" data-monitor="${monitor.id}" data-status="${knownStatus(monitor.status)}">
    <div class="line"><h3>${monitor.name}</h3>
    ${since === undefined ? "" : html`<span class="soft">${texts.checkedSince(formatDay(since.date, writer))}</span>`}
    <data value="${monitor.uptimePercent}" title="${texts.uptimeOf(monitor.days.length)}">${percent}</data>
    <p class="state is-${isCurrent ? knownStatus(monitor.status) : "unknown"}">${shown}</p></div>
    ${barsSvg(monitor, writer)}
    ${daysHtml(monitor, writer)}</li>`;
}

/** The bars of a monitor in words. */
function daysHtml(monitor: ShownMonitor, writer: Writer): Html {
  const { texts } = writer;
  const days = notableDays(monitor, writer);
  if (days.length === 0) return html`<p class="said">${texts.allDaysGood(monitor.days.length)}</p>`;
  return html`<details><summary>${texts.days}<span class="said"> ${monitor.name}</span></summary><ul>${days.map((line) => html`<li>${line}</li>`)}</ul></details>`;
}
