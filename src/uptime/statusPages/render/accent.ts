import { tokenPair } from "./styleSheet.ts";

type Rgb = readonly [red: number, green: number, blue: number];

/** Text needs this contrast (WCAG 2.2, 1.4.3). */
const readable = 4.5;

/** A colour of a page for both themes. */
export type Accent = {
  /** The chosen colour, on which `onBrand` is read. */
  readonly brand: string;
  readonly onBrand: string;
  /** For text: the chosen colour, or the nearest darker or lighter one that can be read. */
  readonly ink: { readonly light: string; readonly dark: string };
};

export function accentOf(colour: string): Accent {
  const brand = rgbOf(colour);
  const [white, black] = [rgbOf("#ffffff"), rgbOf("#000000")];
  return {
    brand: colour,
    onBrand: contrast(white, brand) >= readable ? "#ffffff" : "#000000",
    ink: { light: shade(brand, black, "light"), dark: shade(brand, white, "dark") },
  };
}

/** The style sheet with a page's colour, by its address; undefined for any other address. */
export function accentSheet(name: string): string | undefined {
  const digits = /^accent-([0-9a-f]{6})\.css$/.exec(name)?.[1];
  if (digits === undefined) return undefined;
  const { brand, onBrand, ink } = accentOf(`#${digits}`);
  return `:root{--brand:${brand};--on-brand:${onBrand};--brand-ink:light-dark(${ink.light},${ink.dark})}\n`;
}

/** Mixes a colour with black or white until it can be read on both surfaces of a theme. */
function shade(colour: Rgb, towards: Rgb, theme: "light" | "dark"): string {
  const surfaces = ["page", "surface", "surface-hover"].map((name) => rgbOf(tokenPair(name)[theme]));
  for (let part = 0; part < 100; part++) {
    const mixed = mix(colour, towards, part / 100);
    if (surfaces.every((surface) => contrast(mixed, surface) >= readable)) return hexOf(mixed);
  }
  return hexOf(towards);
}

function mix(colour: Rgb, towards: Rgb, part: number): Rgb {
  const at = (index: 0 | 1 | 2): number => Math.round(colour[index] * (1 - part) + towards[index] * part);
  return [at(0), at(1), at(2)];
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((low, high) => low - high);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hexOf(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
