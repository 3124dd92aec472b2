import { type Html, html, htmlText } from "../../../text/html.ts";
import type { ReportUpdate } from "../manage/statusReport.ts";
import { shownDays } from "../read/pageFacts.ts";
import type { PageEvent, PageView, PageWindow } from "../read/pageView.ts";
import { formatDayOf, formatDuration, formatRecent, formatTime, formatUtc, type Writer } from "./format.ts";

/** Past incidents on a page; the feeds have more. */
const mostPast = 30;

type Now = Pick<PageView, "factsMs">;

/** An incident that lasts, with what operators wrote about it. */
export function eventHtml(event: PageEvent, now: Now, writer: Writer): Html {
  return html`<article id="${eventAnchor(event)}" class="event is-open">
    <div class="line"><h3>${eventTitle(event, writer)} ${statusHtml(event, writer)}</h3>${affectedHtml(event)}</div>
    ${eventBody(event, now, writer)}</article>`;
}

/** An incident that is over: a line, which opens. */
function pastEventHtml(event: PageEvent, now: Now, writer: Writer): Html {
  return html`<details class="event"><summary class="line"><h3>${eventTitle(event, writer)} ${statusHtml(event, writer)}</h3>
    <span class="soft">${formatDayOf(event.startedMs, writer)}</span></summary>
    <div id="${eventAnchor(event)}">${affectedHtml(event)}${eventBody(event, now, writer)}</div></details>`;
}

function statusHtml({ updates, resolvedMs }: PageEvent, { texts }: Writer): Html {
  const status = resolvedMs === undefined ? updates[0]?.status : "resolved";
  if (status === undefined) return html``;
  return html`<span class="tag${status === "resolved" ? " is-up" : ""}">${texts.reportStatuses[status]}</span>`;
}

/** The monitors of a report. The title of an incident without one names its monitor. */
function affectedHtml({ title, monitorNames }: PageEvent): Html {
  return title === undefined || monitorNames.length === 0
    ? html``
    : html`<p class="soft">${monitorNames.join(", ")}</p>`;
}

function eventBody(event: PageEvent, { factsMs }: Now, writer: Writer): Html {
  const { updates } = event;
  return html`<p class="soft">${timesHtml(event, factsMs, writer)}</p>
    ${updates.length === 0 ? "" : html`<ol class="updates">${updates.map((update) => updateHtml(update, factsMs, writer))}</ol>`}`;
}

function timesHtml({ startedMs, resolvedMs }: PageEvent, factsMs: number, writer: Writer): Html {
  const { texts } = writer;
  if (resolvedMs === undefined) {
    const started = timeHtml(startedMs, writer, factsMs);
    return html`${htmlText(texts.since, started)}${factsMs > startedMs ? ` (${formatDuration(factsMs - startedMs, writer)})` : ""}`;
  }
  const times = htmlText(texts.fromTo, timeHtml(startedMs, writer), timeHtml(resolvedMs, writer));
  return html`${times}. ${texts.lasted(formatDuration(resolvedMs - startedMs, writer))}`;
}

function updateHtml({ status, text, postedMs }: ReportUpdate, factsMs: number, writer: Writer): Html {
  return html`<li><p class="soft">${timeHtml(postedMs, writer, factsMs)}</p><div><strong>${writer.texts.reportStatuses[status]}</strong>
    <p class="text">${text}</p></div></li>`;
}

/** The newest past events of a page. */
export function pastHtml({ past, factsMs }: PageView, writer: Writer): Html {
  if (past.length === 0) return html`<p class="soft">${writer.texts.noPast(shownDays)}</p>`;
  return html`<div class="events">${past.slice(0, mostPast).map((event) => pastEventHtml(event, { factsMs }, writer))}</div>`;
}

/** A planned or current maintenance. */
export function windowHtml({ title, startsMs, endsMs, hasBegun, monitorNames }: PageWindow, writer: Writer): Html {
  const { texts } = writer;
  const times = htmlText(texts.fromTo, timeHtml(startsMs, writer), timeHtml(endsMs, writer));
  return html`<article class="event"><div class="line"><h3>${title} <span class="tag is-maintenance">${hasBegun ? texts.inProgress : texts.planned}</span></h3>
    <p class="soft">${monitorNames.length === 0 ? texts.all : monitorNames.join(", ")}</p></div><p class="soft">${times}</p></article>`;
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

/** A time, with that of UTC on hover. With `nowMs` the day is left out on the same day. */
export function timeHtml(ms: number, writer: Writer, nowMs?: number): Html {
  const iso = new Date(ms).toISOString();
  const shown = nowMs === undefined ? formatTime(ms, writer) : formatRecent(ms, nowMs, writer);
  if (writer.reader.zone === "UTC") return html`<time datetime="${iso}">${shown}</time>`;
  return html`<time datetime="${iso}" title="${formatUtc(ms, writer)}">${shown}</time>`;
}
