import { xmlText } from "./xmlText.ts";

/** The text has 4.5:1 on each of them; they are those of web/app/src/styles/tokens.css. */
const looks = {
  light: {
    colours: { up: "#00694b", degraded: "#7f5800", incident: "#7f5800", down: "#ad3a05", maintenance: "#0064a3" },
    other: "#5b6570",
    name: "#3c4650",
    nameInk: "#fff",
    ink: "#fff",
  },
  dark: {
    colours: { up: "#41c79c", degraded: "#e3b341", incident: "#e3b341", down: "#f58f5c", maintenance: "#62b6ee" },
    other: "#a6b2bf",
    name: "#2a333e",
    nameInk: "#e7ecf1",
    ink: "#0f1419",
  },
} as const;

export type BadgeTheme = keyof typeof looks;

/** The average width of a letter of Verdana at 11 px, as badges elsewhere assume. */
const letterPx = 6.6;
const paddingPx = 6;

/** A badge for pages of others: a name and a status. */
export function badgeSvg(name: string, status: string, statusText: string, theme: BadgeTheme = "light"): string {
  const look = looks[theme];
  const colour = Object.entries(look.colours).find(([known]) => known === status)?.[1] ?? look.other;
  const letters = [...name];
  const label = letters.length > 40 ? `${letters.slice(0, 39).join("")}…` : name;
  const [left, right] = [widthOf(label), widthOf(statusText)];
  const text = `${xmlText(name)}: ${xmlText(statusText)}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${text}"><title>${text}</title>` +
    `<rect width="${left + right}" height="20" rx="3" fill="${look.name}"/>` +
    `<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${colour}"/>` +
    `<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">` +
    `<text x="${left / 2}" y="14" fill="${look.nameInk}" textLength="${left - 2 * paddingPx}">${xmlText(label)}</text>` +
    `<text x="${left + right / 2}" y="14" fill="${look.ink}" textLength="${right - 2 * paddingPx}">${xmlText(statusText)}</text></g></svg>\n`
  );
}

function widthOf(text: string): number {
  return Math.max(12, Math.round(text.length * letterPx)) + 2 * paddingPx;
}
