import { computed } from "@preact/signals";
import { websites } from "../api/websites.ts";
import { type PageEntry, pages } from "../pages/pages.ts";
import { place } from "../router/router.ts";
import { lastWebsite } from "./lastWebsite.ts";

/**
 * The id of the website that the header is about: that of the page, beside the pages of a website the one that was shown last; undefined on the start page
 * and wherever nobody knows one.
 */
export const shownWebsite = computed<string | undefined>(() => {
  const [, id] = place.value.segments;
  const entry = currentEntry();
  if (entry?.of === "website") return id;
  if (entry?.of !== "person" || websites.value.kind !== "loaded") return undefined;
  const all = websites.value.websites;
  return all.length === 1 ? all[0]?.id : all.find((website) => website.id === lastWebsite.value)?.id;
});

function currentEntry(): PageEntry | undefined {
  const [name = ""] = place.value.segments;
  return (pages as Readonly<Record<string, PageEntry>>)[name];
}
