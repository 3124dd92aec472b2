import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("../../web/app/src/styles/tokens.css", import.meta.url), "utf8");

/** The colours of both themes, by name. */
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name = "", light, dark]) => [
    name,
    { light: light ?? "", dark: dark ?? "" },
  ]),
);

const surfaces = ["page", "surface", "surface-hover", "bar"];
/** Text needs 4.5:1 (WCAG 2.2, 1.4.3), what draws a figure or a control 3:1 (1.4.11). */
const pairs: readonly (readonly [name: string, on: readonly string[], least: number])[] = [
  ["ink", surfaces, 4.5],
  ["ink-soft", surfaces, 4.5],
  ["accent", surfaces, 4.5],
  ["accent-hover", surfaces, 4.5],
  ["on-accent", ["accent", "accent-hover"], 4.5],
  ["good", ["page", "surface", "surface-hover"], 4.5],
  ["bad", ["page", "surface", "surface-hover", "bad-surface"], 4.5],
  ["ink", ["bad-surface"], 4.5],
  ["ink-soft", ["bad-surface"], 4.5],
  ...["indigo", "blue", "green", "plum", "ochre", "orange", "dark", "grey"].map(
    (tone) => ["on-icon", [`icon-${tone}`], 4.5] as const,
  ),
  ["warn", ["page", "surface"], 4.5],
  ["unknown", ["page", "surface"], 3],
  ["control-line", ["page", "surface"], 3],
  ...[1, 2, 3, 4, 5, 6].map((series) => [`series-${series}`, ["surface"], 3] as const),
  // The letter on the tile of a website.
  ["on-accent", [1, 2, 3, 4, 5, 6].map((series) => `series-${series}`), 4.5],
];

test.each(["light", "dark"] as const)("what is read together has enough contrast in the %s theme", (theme) => {
  const low = pairs.flatMap(([name, grounds, least]) =>
    grounds
      .map((ground) => ({ name, ground, ratio: contrast(colour(name, theme), colour(ground, theme)) }))
      .filter(({ ratio }) => ratio < least),
  );
  expect(low).toEqual([]);
});

function colour(name: string, theme: "light" | "dark"): string {
  const found = colours.get(name);
  if (found === undefined) throw new Error(`tokens.css has no colour ${name} for both themes`);
  return found[theme];
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
