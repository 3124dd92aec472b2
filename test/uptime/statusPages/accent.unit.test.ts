import { expect, test } from "vitest";
import { accentOf, accentSheet } from "../../../src/uptime/statusPages/render/accent.ts";
import { tokenPair } from "../../../src/uptime/statusPages/render/styleSheet.ts";

const steps = ["00", "33", "66", "99", "cc", "ff"];
const colours = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)));

test("any accent colour is readable: as text in both themes, and below the letter of the sign", () => {
  const low = colours.flatMap((colour) => {
    const { brand, onBrand, ink } = accentOf(colour);
    const onSurfaces = (["light", "dark"] as const).flatMap((theme) =>
      ["page", "surface", "surface-hover"].map((surface) => contrast(ink[theme], tokenPair(surface)[theme])),
    );
    return [contrast(brand, onBrand), ...onSurfaces].every((ratio) => ratio >= 4.5) ? [] : [colour];
  });
  expect(low).toEqual([]);
});

test("a colour that can be read stays as it is", () => {
  expect(accentOf("#0064a3").ink.light).toBe("#0064a3");
  expect(accentOf("#62b6ee").ink.dark).toBe("#62b6ee");
});

test("only a colour has a style sheet", () => {
  expect(accentSheet("accent-0064a3.css")).toContain("--brand:#0064a3");
  for (const name of ["accent-red.css", "accent-0064A3.css", "accent-0064a3.css.css", "accent-}{}{}{.css"])
    expect(accentSheet(name)).toBeUndefined();
});

/** WCAG 2.2, computed apart from the service. */
function contrast(one: string, other: string): number {
  const [a, b] = [one, other].map((hex) =>
    [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0),
  );
  return (Math.max(a ?? 0, b ?? 0) + 0.05) / (Math.min(a ?? 0, b ?? 0) + 0.05);
}
