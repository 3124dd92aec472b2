import { isoTime } from "../../../time/utcDay.ts";
import type { PageEvent, PageView } from "../read/pageView.ts";
import { eventAnchor, eventTitle } from "./eventHtml.ts";
import { formatDuration, formatTime, type Writer } from "./format.ts";
import { xmlText as xml } from "./xmlText.ts";

/** Entries of a feed: the newest incidents. */
const mostEntries = 50;

type Entry = {
  /** Its address. */
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly startedMs: number;
  readonly changedMs: number;
};

/** Current and past incidents, the last changed one first. `url` is the address of the page. */
function entriesOf(view: PageView, url: string, writer: Writer): Entry[] {
  return [...view.ongoing, ...view.past]
    .map((event) => ({
      url: `${url}#${eventAnchor(event)}`,
      title: eventTitle(event, writer),
      text: eventText(event, writer),
      startedMs: event.startedMs,
      changedMs: Math.max(event.startedMs, event.resolvedMs ?? 0, event.updates[0]?.postedMs ?? 0),
    }))
    .sort((one, other) => other.changedMs - one.changedMs)
    .slice(0, mostEntries);
}

function eventText(event: PageEvent, writer: Writer): string {
  const { texts } = writer;
  const { startedMs, resolvedMs, updates, monitorNames } = event;
  const time =
    resolvedMs === undefined
      ? texts.since(formatTime(startedMs, writer))
      : `${texts.fromTo(formatTime(startedMs, writer), formatTime(resolvedMs, writer))}. ${texts.lasted(formatDuration(resolvedMs - startedMs, writer))}`;
  return [
    ...updates.map(
      ({ status, text, postedMs }) => `${texts.reportStatuses[status]}, ${formatTime(postedMs, writer)}\n${text}`,
    ),
    ...(event.title !== undefined && monitorNames.length > 0 ? [texts.affects(monitorNames.join(", "))] : []),
    time,
  ].join("\n\n");
}

/** When the last of the entries changed, or the page itself was read. */
function changedMs(view: PageView, entries: readonly Entry[]): number {
  return entries[0]?.changedMs ?? Math.floor(view.factsMs / 86_400_000) * 86_400_000;
}

/** RFC 4287. */
export function atomFeed(view: PageView, url: string, writer: Writer): string {
  const entries = entriesOf(view, url, writer);
  const shown = entries.map(
    (entry) =>
      `<entry><id>${xml(entry.url)}</id><title>${xml(entry.title)}</title><link href="${xml(entry.url)}"/>` +
      `<published>${isoTime(entry.startedMs)}</published><updated>${isoTime(entry.changedMs)}</updated>` +
      `<content type="text">${xml(entry.text)}</content></entry>`,
  );
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${writer.reader.language}">` +
    `<id>${xml(url)}</id><title>${xml(writer.texts.feedTitle(view.title))}</title><updated>${isoTime(changedMs(view, entries))}</updated>` +
    `<author><name>${xml(view.logoText || view.title)}</name></author>` +
    `<link rel="self" href="${xml(url)}/feed.atom"/><link href="${xml(url)}"/>${shown.join("")}</feed>\n`
  );
}

/** RSS 2.0. */
export function rssFeed(view: PageView, url: string, writer: Writer): string {
  const items = entriesOf(view, url, writer).map(
    (entry) =>
      `<item><guid>${xml(entry.url)}</guid><title>${xml(entry.title)}</title><link>${xml(entry.url)}</link>` +
      `<pubDate>${new Date(entry.changedMs).toUTCString()}</pubDate><description>${xml(entry.text)}</description></item>`,
  );
  const title = xml(writer.texts.feedTitle(view.title));
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>` +
    `<title>${title}</title><link>${xml(url)}</link><description>${title}</description><language>${writer.reader.language}</language>` +
    `<atom:link rel="self" type="application/rss+xml" href="${xml(url)}/feed.rss"/>${items.join("")}</channel></rss>\n`
  );
}

/** JSON Feed 1.1. */
export function jsonFeed(view: PageView, url: string, writer: Writer): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: writer.texts.feedTitle(view.title),
    home_page_url: url,
    feed_url: `${url}/feed.json`,
    language: writer.reader.language,
    items: entriesOf(view, url, writer).map((entry) => ({
      id: entry.url,
      url: entry.url,
      title: entry.title,
      content_text: entry.text,
      date_published: isoTime(entry.startedMs),
      date_modified: isoTime(entry.changedMs),
    })),
  });
}
