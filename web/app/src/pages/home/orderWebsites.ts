import { matchingWebsites } from "../../shell/matchingWebsites.ts";
import type { SiteFigures } from "./siteFigures.ts";
import { type SiteState, severityOf } from "./siteState.ts";

export const sortings = ["visitors", "now", "change", "name", "state"] as const;

export type Sorting = (typeof sortings)[number];

/** What is known of a website. */
export type Known = { readonly figures: SiteFigures | undefined; readonly state: SiteState | undefined };

type Named = { readonly id: string; readonly name: string };

/** Websites in the order of a sorting. What is not known comes last, by name. */
export function sortWebsites<W extends Named>(
  websites: readonly W[],
  sorting: Sorting,
  knownOf: (id: string) => Known,
): W[] {
  const byName = websites.toSorted((one, other) => one.name.localeCompare(other.name));
  if (sorting === "name") return byName;
  const ranks = new Map(byName.map(({ id }) => [id, rankOf(sorting, knownOf(id))]));
  return byName.toSorted((one, other) => (ranks.get(one.id) ?? 0) - (ranks.get(other.id) ?? 0));
}

/** The lower the earlier. */
function rankOf(sorting: Exclude<Sorting, "name">, { figures, state }: Known): number {
  if (sorting === "state") return severityOf(state);
  if (sorting === "visitors") return -(figures?.visitors ?? -1);
  if (sorting === "now") return -(figures?.now ?? -1);
  const change = figures === undefined ? undefined : changeOf(figures);
  return change === undefined ? Number.MAX_VALUE : -change;
}

/** How much more visitors came than usual, as a part of these. */
function changeOf({ visitors, usual }: SiteFigures): number | undefined {
  return visitors === null || usual === null || usual === 0 ? undefined : (visitors - usual) / usual;
}

/** Websites in the order of their ids; those without a place come last, as they are. */
export function inOrderOf<W extends Named>(websites: readonly W[], ids: readonly string[]): W[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  return websites.toSorted((one, other) => (places.get(one.id) ?? ids.length) - (places.get(other.id) ?? ids.length));
}

/** Pinned websites first, each part in its order. */
export function pinnedFirst<W extends Named>(websites: readonly W[], pins: readonly string[]): W[] {
  return [...websites.filter(({ id }) => pins.includes(id)), ...websites.filter(({ id }) => !pins.includes(id))];
}

type Tagged = Named & { readonly domain: string; readonly tags?: { readonly names: readonly string[] } | undefined };

/** The websites with a text in their name or domain and with a tag; undefined is any. */
export function filterWebsites<W extends Tagged>(websites: readonly W[], text: string, tag: string | undefined): W[] {
  return matchingWebsites(websites, text).filter(({ tags }) => tag === undefined || tags?.names.includes(tag) === true);
}

/** All tags of websites, by name. */
export function tagsOf(websites: readonly Tagged[]): string[] {
  return [...new Set(websites.flatMap(({ tags }) => tags?.names ?? []))].toSorted((one, other) =>
    one.localeCompare(other),
  );
}
