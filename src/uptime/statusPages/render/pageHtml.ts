import { escapeHtml } from "../../../call/htmlPage.ts";
import type { ShownMonitor } from "../../figures/shownMonitor.ts";
import { shownDays } from "../read/pageFacts.ts";
import type { PageEvent, PageView, PageWindow } from "../read/pageView.ts";
import { otherLanguage } from "../texts/statusTexts.ts";
import { barsSvg, notableDays } from "./bars.ts";
import { formatDuration, formatPercent, formatTime, type Writer } from "./format.ts";
import { knownStatus, statusText } from "./statusName.ts";

/** Past incidents on a page; the feeds have more. */
const mostPast = 30;

/** A status page. It needs no script, and all of its addresses are relative, so that it works below any path. */
export function pageHtml(view: PageView, writer: Writer, styleName: string): string {
  const { texts } = writer;
  const title = escapeHtml(view.title);
  const feed = (kind: string) => `${view.slug}/feed.${kind}`;
  const links =
    `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(texts.feedTitle(view.title))}" href="${feed("atom")}">` +
    `<link rel="alternate" type="application/feed+json" title="${escapeHtml(texts.feedTitle(view.title))}" href="${feed("json")}">`;
  const other = otherLanguage(writer.language);
  return document({
    writer,
    styleName,
    title: view.title,
    head: links,
    body:
      `<header class="top">${view.logoText === "" ? "" : `<p class="logo">${escapeHtml(view.logoText)}</p>`}<h1>${title}</h1>` +
      `${view.description === "" ? "" : `<p class="lead">${escapeHtml(view.description)}</p>`}</header>` +
      `<main>${overall(view, writer)}` +
      `${section(texts.ongoing, view.ongoing.map((event) => eventHtml(event, view, writer)).join(""))}` +
      `${section(texts.maintenance, view.windows.map((window) => windowHtml(window, writer)).join(""))}` +
      `${systems(view, writer)}` +
      `<section><h2>${texts.past}</h2>${past(view, writer)}</section></main>` +
      `<footer><p>${texts.utc}</p><p>${texts.feeds}: <a href="${feed("atom")}">Atom</a> <a href="${feed("rss")}">RSS</a> ` +
      `<a href="${feed("json")}">JSON</a></p><p><a href="${view.slug}/badge.svg">${texts.badge}</a></p>` +
      `<p><a href="${view.slug}?lang=${other}" hreflang="${other}" lang="${other}">${texts.otherLanguage}</a></p></footer>`,
  });
}

/** A page that says that there is nothing to show. */
export function messagePage(title: string, text: string, writer: Writer, styleName: string): string {
  const body = `<main class="message"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`;
  return document({ writer, styleName, title, head: `<meta name="robots" content="noindex">`, body });
}

type Document = {
  readonly writer: Writer;
  readonly styleName: string;
  readonly title: string;
  readonly head: string;
  readonly body: string;
};

function document({ writer, styleName, title, head, body }: Document): string {
  return (
    `<!doctype html><html lang="${writer.language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">` +
    `<title>${escapeHtml(title)}</title><link rel="stylesheet" href="${styleName}">${head}</head><body>${body}</body></html>`
  );
}

function section(title: string, content: string): string {
  return content === "" ? "" : `<section><h2>${title}</h2>${content}</section>`;
}

function overall(view: PageView, writer: Writer): string {
  const { texts } = writer;
  const time = view.statesMs === undefined ? undefined : timeHtml(view.statesMs, writer);
  const explanation = !view.isCurrent
    ? time === undefined
      ? escapeHtml(texts.neverKnown)
      : texts.notCurrent(time)
    : view.status === "unknown" && view.groups.length > 0
      ? escapeHtml(texts.unknownText)
      : "";
  const kind = view.status === "incident" ? "degraded" : view.status;
  return (
    `<section class="overall is-${kind}"${view.isCurrent ? "" : " data-not-current"}><h2>${escapeHtml(headline(view, writer))}</h2>` +
    `${explanation === "" ? "" : `<p>${explanation}</p>`}` +
    `${view.isCurrent && time !== undefined ? `<p class="soft">${texts.asOf(time)}</p>` : ""}</section>`
  );
}

function headline({ isCurrent, status, groups }: PageView, { texts }: Writer): string {
  const isPartlyKnown = groups.some(({ monitors }) => monitors.some((monitor) => monitor.status === "up"));
  return isCurrent && status === "unknown" && isPartlyKnown ? texts.partlyUnknown : texts.overall[status];
}

function systems({ groups, isCurrent }: PageView, writer: Writer): string {
  const { texts } = writer;
  if (groups.every(({ monitors }) => monitors.length === 0))
    return `<section><h2>${texts.systems}</h2><p class="soft">${texts.noMonitors}</p></section>`;
  const shown = groups.map(
    ({ name, monitors }) =>
      `<section><h2>${name === "" ? texts.systems : escapeHtml(name)}</h2><ul class="monitors">` +
      `${monitors.map((monitor) => monitorHtml(monitor, isCurrent, writer)).join("")}</ul></section>`,
  );
  return `${shown.join("")}<p class="soft legend">${texts.legend}</p>`;
}

function monitorHtml(monitor: ShownMonitor, isCurrent: boolean, writer: Writer): string {
  const { texts } = writer;
  const status = statusText(monitor.status, texts);
  const shown = isCurrent || monitor.status === "unknown" ? status : texts.lastKnown(status);
  const isChecked = monitor.days.some(({ coveragePercent }) => coveragePercent > 0);
  const percent = isChecked ? texts.uptime(formatPercent(monitor.uptimePercent, writer)) : texts.noChecks;
  const days = notableDays(monitor, writer);
  return (
    `<li class="monitor" data-monitor="${escapeHtml(monitor.id)}" data-status="${knownStatus(monitor.status)}">` +
    `<div class="line"><h3>${escapeHtml(monitor.name)}</h3>` +
    `<p class="state is-${isCurrent ? knownStatus(monitor.status) : "unknown"}">${escapeHtml(shown)}</p></div>` +
    `${barsSvg(monitor, writer)}` +
    `<div class="line soft"><span>${texts.daysAgo(monitor.days.length)}</span><data value="${monitor.uptimePercent}">${percent}</data><span>${texts.today}</span></div>` +
    `${
      days.length === 0
        ? `<p class="said">${texts.allDaysGood(monitor.days.length)}</p>`
        : `<details><summary>${texts.days}</summary><ul>${days.map((line) => `<li>${line}</li>`).join("")}</ul></details>`
    }</li>`
  );
}

function eventHtml(event: PageEvent, view: PageView, writer: Writer): string {
  const { texts } = writer;
  const { startedMs, resolvedMs, updates } = event;
  const times =
    resolvedMs === undefined
      ? texts.since(timeHtml(startedMs, writer))
      : `${texts.fromTo(timeHtml(startedMs, writer), timeHtml(resolvedMs, writer))}. ${texts.lasted(formatDuration(resolvedMs - startedMs, writer))}`;
  const isAffectedKnown = event.title !== undefined && event.monitorNames.length > 0;
  return (
    `<article id="${escapeHtml(eventAnchor(event))}" class="event${resolvedMs === undefined ? " is-open" : ""}">` +
    `<h3>${escapeHtml(eventTitle(event, writer))}</h3><p class="soft">${times}${resolvedMs === undefined && view.factsMs - startedMs > 0 ? ` (${formatDuration(view.factsMs - startedMs, writer)})` : ""}</p>` +
    `${isAffectedKnown ? `<p class="soft">${escapeHtml(texts.affects(event.monitorNames.join(", ")))}</p>` : ""}` +
    `${
      updates.length === 0
        ? ""
        : `<ol class="updates">${updates
            .map(
              ({ status, text, postedMs }) =>
                `<li><p><strong>${escapeHtml(texts.reportStatuses[status])}</strong> <span class="soft">${timeHtml(postedMs, writer)}</span></p><p class="text">${escapeHtml(text)}</p></li>`,
            )
            .join("")}</ol>`
    }</article>`
  );
}

function past({ past: events, ...view }: PageView, writer: Writer): string {
  if (events.length === 0) return `<p class="soft">${writer.texts.noPast(shownDays)}</p>`;
  return events
    .slice(0, mostPast)
    .map((event) => eventHtml(event, { ...view, past: events }, writer))
    .join("");
}

function windowHtml({ title, startsMs, endsMs, hasBegun, monitorNames }: PageWindow, writer: Writer): string {
  const { texts } = writer;
  return (
    `<article class="event"><h3>${escapeHtml(title)}</h3>` +
    `<p><strong>${hasBegun ? texts.inProgress : texts.planned}</strong> <span class="soft">${texts.fromTo(timeHtml(startsMs, writer), timeHtml(endsMs, writer))}</span></p>` +
    `<p class="soft">${escapeHtml(texts.affects(monitorNames.length === 0 ? texts.all : monitorNames.join(", ")))}</p></article>`
  );
}

/** The title of a report, or what happened to the monitor. Not escaped. */
export function eventTitle({ title, monitorNames, resolvedMs }: PageEvent, { texts }: Writer): string {
  if (title !== undefined) return title;
  const [name = ""] = monitorNames;
  return resolvedMs === undefined ? texts.notReachableNow(name) : texts.notReachable(name);
}

/** The part of a page's address that leads to an event. */
export function eventAnchor({ id }: PageEvent): string {
  return `incident-${id.replace(/[^\w-]/g, "-")}`;
}

function timeHtml(ms: number, writer: Writer): string {
  return `<time datetime="${new Date(ms).toISOString()}">${escapeHtml(formatTime(ms, writer))}</time>`;
}
