import { defaultOptions, type Guide, guides, type Option, options, optionsOf } from "./snippets.ts";

/** The guide on screen and its options. They are in the address, so that a reload keeps them. */
export type ChosenGuide = { readonly guide: Guide; readonly options: readonly Option[] };

export function readGuide(query: URLSearchParams): ChosenGuide {
  const guide = guides.find((name) => name === query.get("guide")) ?? "script";
  const given = query.get("options")?.split(",");
  const chosen = options.filter((name) => (given ?? defaultOptions).includes(name));
  return { guide, options: chosen.filter((name) => optionsOf(guide).includes(name)) };
}

/** The same query with another guide or other options; what is the default is left out. */
export function withGuide(query: URLSearchParams, { guide, options: chosen }: ChosenGuide): URLSearchParams {
  const changed = new URLSearchParams(query);
  if (guide === "script") changed.delete("guide");
  else changed.set("guide", guide);
  if (guide === "server") return changed;
  const text = options.filter((name) => chosen.includes(name)).join(",");
  if (text === defaultOptions.join(",")) changed.delete("options");
  else changed.set("options", text);
  return changed;
}
