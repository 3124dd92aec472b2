/** A colour of squares with letters: `--icon-…` of the tokens. */
export type Tone = "indigo" | "blue" | "green" | "plum" | "ochre" | "orange" | "dark" | "grey";

export type Letters = { readonly letters: string; readonly tone: Tone };

/** Sites that many visitors come from, by the part of the host before its last dots, or by the name that campaigns give them. */
const marks: Readonly<Record<string, Letters>> = {
  ...named("indigo", "google bing duckduckgo yahoo ecosia qwant yandex baidu startpage brave kagi naver"),
  ...named("blue", "facebook linkedin mastodon bluesky telegram discord vimeo"),
  ...named("orange", "reddit youtube ycombinator hackernews pinterest substack"),
  ...named("plum", "instagram twitch newsletter mailchimp klaviyo brevo"),
  ...named("dark", "github chatgpt openai perplexity claude gemini copilot x tiktok threads medium wikipedia"),
  ...named("green", "whatsapp stackoverflow producthunt"),
  t: { letters: "X", tone: "dark" },
  twitter: { letters: "X", tone: "dark" },
  bsky: { letters: "B", tone: "blue" },
  ycombinator: { letters: "Y", tone: "orange" },
};

function named(tone: Tone, names: string): Record<string, Letters> {
  return Object.fromEntries(names.split(" ").map((name) => [name, { letters: initial(name), tone }]));
}

/** The mark of a host, such as `news.ycombinator.com`, or of a source that a campaign names. Others have their initial in a colour of their own. */
export function sourceMark(source: string): Letters {
  const parts = source
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[/:?#].*$/s, "")
    .split(".");
  // What comes before the ending, or before an ending of two parts, such as co.uk.
  const name = parts.toReversed().find((part, index) => index > 0 && part.length > 3) ?? parts.at(-2) ?? parts[0] ?? "";
  const known = parts.map((part) => (Object.hasOwn(marks, part) ? marks[part] : undefined)).find(Boolean);
  return known ?? { letters: initial(name), tone: toneOf(name) };
}

/** The first letter or digit. */
export function initial(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? "?";
}

const tones = ["blue", "green", "plum", "ochre", "orange", "indigo"] as const satisfies readonly Tone[];

function toneOf(name: string): Tone {
  const sum = [...name].reduce((all, letter) => (all * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7);
  return tones[sum % tones.length] ?? "grey";
}
