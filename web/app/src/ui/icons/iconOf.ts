import { initial, type Letters, sourceMark, type Tone } from "./sourceMarks.ts";

/** A symbol of sprite.svg, or letters in a coloured square. */
export type IconName = { readonly symbol: string; readonly isFlag?: true } | Letters;

/** The symbols of sprite.svg that are no flags, by the values that they stand for. */
export const symbols = {
  referrer_group: ["direct", "search", "social", "email", "ai", "paid", "referral", "other"],
  device_type: ["desktop", "mobile", "tablet"],
} as const;

/** Countries with a flag in sprite.svg: stripes, crosses and few shapes are enough for them. */
export const flags = (
  "ae ar at au be bg br ca ch cl cn co cz de dk ee es fi fr gb gr hu id ie il in is it jp kr lt lu lv mx ng nl no pe pl pt ro ru se sg th " +
  "tr ua us vn za"
).split(" ");

/** The icon of a field's value; undefined for fields without icons. */
export function iconOf(field: string, value: string): IconName | undefined {
  switch (field) {
    case "referrer_group":
    case "device_type": {
      const known: readonly string[] = symbols[field];
      return known.includes(value) ? { symbol: value } : unknown;
    }
    case "referrer":
    case "referrer_source":
    case "utm_source":
      return value === "Direct" ? { symbol: "direct" } : value === "Unknown" ? unknown : sourceMark(value);
    case "country":
      return flagOf(value);
    case "browser_name":
    case "os_name":
      return value === "Unknown"
        ? unknown
        : { letters: initial(brand(value)), tone: brandTones[brand(value)] ?? "grey" };
    default:
      return undefined;
  }
}

const unknown: Letters = { letters: "?", tone: "grey" };

function flagOf(country: string): IconName {
  const code = country.toLowerCase();
  if (flags.includes(code)) return { symbol: code, isFlag: true };
  return /^[a-z]{2}$/.test(code) ? { letters: country.toUpperCase(), tone: "grey" } : unknown;
}

/** The name without who makes it. */
function brand(value: string): string {
  return value.replace(/^(?:Microsoft|Mobile) /, "");
}

const brandTones: Readonly<Record<string, Tone>> = {
  Chrome: "green",
  "Chrome OS": "green",
  Chromium: "blue",
  Safari: "blue",
  Firefox: "orange",
  Edge: "blue",
  Opera: "orange",
  "Samsung Internet": "indigo",
  Brave: "ochre",
  Vivaldi: "plum",
  Windows: "blue",
  macOS: "dark",
  iOS: "plum",
  iPadOS: "plum",
  Android: "green",
  Linux: "ochre",
  Ubuntu: "orange",
};
