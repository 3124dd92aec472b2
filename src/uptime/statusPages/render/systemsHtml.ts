import { type Html, html } from "../../../text/html.ts";
import type { ShownMonitor } from "../../figures/shownMonitor.ts";
import type { PageView } from "../read/pageView.ts";
import { barsSvg, notableDays } from "./bars.ts";
import { formatPercent, type Writer } from "./format.ts";
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
  return html`${shown}<p class="soft legend">${texts.legend}</p>`;
}

function monitorHtml(monitor: ShownMonitor, isCurrent: boolean, writer: Writer): Html {
  const { texts } = writer;
  const status = statusText(monitor.status, texts);
  const shown = isCurrent || monitor.status === "unknown" ? status : texts.lastKnown(status);
  const isChecked = monitor.days.some(({ coveragePercent }) => coveragePercent > 0);
  const percent = isChecked ? texts.uptime(formatPercent(monitor.uptimePercent, writer)) : texts.noChecks;
  return html`<li class="monitor" data-monitor="${monitor.id}" data-status="${knownStatus(monitor.status)}">
    <div class="line"><h3>${monitor.name}</h3>
    <p class="state is-${isCurrent ? knownStatus(monitor.status) : "unknown"}">${shown}</p></div>
    ${barsSvg(monitor, writer)}
    <div class="line soft"><span>${texts.daysAgo(monitor.days.length)}</span>
    <data value="${monitor.uptimePercent}">${percent}</data><span>${texts.today}</span></div>
    ${daysHtml(monitor, writer)}</li>`;
}

/** The bars of a monitor in words. */
function daysHtml(monitor: ShownMonitor, writer: Writer): Html {
  const { texts } = writer;
  const days = notableDays(monitor, writer);
  if (days.length === 0) return html`<p class="said">${texts.allDaysGood(monitor.days.length)}</p>`;
  return html`<details><summary>${texts.days}</summary><ul>${days.map((line) => html`<li>${line}</li>`)}</ul></details>`;
}
