import { type Html, html, htmlText } from "../../../text/html.ts";
import type { ReportUpdate } from "../manage/statusReport.ts";
import { shownDays } from "../read/pageFacts.ts";
import type { PageEvent, PageView, PageWindow } from "../read/pageView.ts";
import { formatDuration, formatTime, type Writer } from "./format.ts";

/** Past incidents on a page; the feeds have more. */
const mostPast = 30;

export function eventHtml(event: PageEvent, { factsMs }: Pick<PageView, "factsMs">, writer: Writer): Html {
  const { texts } = writer;
  const { updates, monitorNames } = event;
  const isAffectedKnown = event.title !== undefined && monitorNames.length > 0;
  return html`<article id="${eventAnchor(event)}" class="event${event.resolvedMs === undefined ? " is-open" : ""}">
    <h3>${eventTitle(event, writer)}</h3><p class="soft">${timesHtml(event, factsMs, writer)}</p>
    ${isAffectedKnown ? html`<p class="soft">${texts.affects(monitorNames.join(", "))}</p>` : ""}
    ${updates.length === 0 ? "" : html`<ol class="updates">${updates.map((update) => updateHtml(update, writer))}</ol>`}</article>`;
}

function timesHtml({ startedMs, resolvedMs }: PageEvent, factsMs: number, writer: Writer): Html {
  const { texts } = writer;
  const started = timeHtml(startedMs, writer);
  if (resolvedMs === undefined)
    return html`${htmlText(texts.since, started)}${factsMs > startedMs ? ` (${formatDuration(factsMs - startedMs, writer)})` : ""}`;
  const times = htmlText(texts.fromTo, started, timeHtml(resolvedMs, writer));
  return html`${times}. ${texts.lasted(formatDuration(resolvedMs - startedMs, writer))}`;
}

function updateHtml({ status, text, postedMs }: ReportUpdate, writer: Writer): Html {
  return html`<li><p><strong>${writer.texts.reportStatuses[status]}</strong> <span class="soft">${timeHtml(postedMs, writer)}</span></p>
    <p class="text">${text}</p></li>`;
}

/** The newest past events of a page. */
export function pastHtml({ past, factsMs }: PageView, writer: Writer): Html {
  if (past.length === 0) return html`<p class="soft">${writer.texts.noPast(shownDays)}</p>`;
  return html`${past.slice(0, mostPast).map((event) => eventHtml(event, { factsMs }, writer))}`;
}

/** A planned or current maintenance. */
export function windowHtml({ title, startsMs, endsMs, hasBegun, monitorNames }: PageWindow, writer: Writer): Html {
  const { texts } = writer;
  const times = htmlText(texts.fromTo, timeHtml(startsMs, writer), timeHtml(endsMs, writer));
  return html`<article class="event"><h3>${title}</h3>
    <p><strong>${hasBegun ? texts.inProgress : texts.planned}</strong> <span class="soft">${times}</span></p>
    <p class="soft">${texts.affects(monitorNames.length === 0 ? texts.all : monitorNames.join(", "))}</p></article>`;
}

/** The title of a report, or what happened to the monitor. */
export function eventTitle({ title, monitorNames, resolvedMs }: PageEvent, { texts }: Writer): string {
  if (title !== undefined) return title;
  const [name = ""] = monitorNames;
  return resolvedMs === undefined ? texts.notReachableNow(name) : texts.notReachable(name);
}

/** The part of a page's address that leads to an event. */
export function eventAnchor({ id }: PageEvent): string {
  return `incident-${id.replace(/[^\w-]/g, "-")}`;
}

export function timeHtml(ms: number, writer: Writer): Html {
  return html`<time datetime="${new Date(ms).toISOString()}">${formatTime(ms, writer)}</time>`;
}
