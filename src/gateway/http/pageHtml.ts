import type { Look } from "./look.ts";

/** Paths of files below the folder of the app. */
type Files = { readonly scripts: readonly string[]; readonly styles: readonly string[] };

/** The files of a page, and the one of them that is the app itself. */
type Loads = Files & { readonly app: string | undefined };

/** The files that the first view of each page loads, by the page's name, and those of the texts, by language. */
export type PageLoads = {
  /** Of every page. */
  readonly app: Files;
  readonly pages: Readonly<Record<string, Files & { readonly texts?: "settings" }>>;
  readonly languages: Readonly<Record<string, Files>>;
  /** Of the texts that only some pages need. */
  readonly settingsLanguages: Readonly<Record<string, Files>>;
};

/** The files of a page in a language; undefined is the page that says that nothing is at an address. */
export function loadsOf(loads: PageLoads, page: string | undefined, language: string | undefined): Loads {
  const own = page === undefined ? undefined : loads.pages[page];
  const parts = [
    loads.app,
    own,
    language === undefined ? undefined : loads.languages[language],
    language === undefined || own?.texts !== "settings" ? undefined : loads.settingsLanguages[language],
  ].filter((part) => part !== undefined);
  return {
    app: loads.app.scripts[0],
    scripts: [...new Set(parts.flatMap(({ scripts }) => scripts))],
    styles: [...new Set(parts.flatMap(({ styles }) => styles))],
  };
}

/** What is put into the built page. */
type PageParts = {
  /** How many segments the path has above the last one. */
  readonly depth: number;
  readonly loads: Loads;
  /** A JSON object for the app; undefined where it has to ask. */
  readonly startJson: string | undefined;
  /** How the browser shows it, where that is known. */
  readonly look?: Look | undefined;
  /** The elements of the first view; undefined where the app has to draw it. */
  readonly drawn?: string | undefined;
};

/**
 * The app's page for one request. Its `<base>` leads back to the start page, so it works behind a proxy that serves it below a path. It names
 * the scripts and style sheets of the first view, so that the browser loads all of them at once, and not wave after wave.
 */
export function pageHtml(built: string, { depth, loads, startJson, look, drawn }: PageParts): string {
  const lines = [
    ...loads.styles.filter((file) => !built.includes(file)).map((file) => `<link rel="stylesheet" href="./${file}">`),
    ...loads.scripts
      .filter((file) => !built.includes(file))
      .map((file) => `<link rel="modulepreload" crossorigin href="./${file}">`),
    // A block of data and no script, so the policy of the page does not forbid it. "<" could end it.
    ...(startJson === undefined
      ? []
      : [`<script type="application/json" id="start">${startJson.replaceAll("<", "\\u003c")}</script>`]),
  ];
  const base = depth === 0 ? "./" : "../".repeat(depth);
  const theme = look?.theme === undefined ? "" : ` data-theme="${look.theme}"`;
  // Functions, since a replacement text could hold patterns such as $&.
  return built
    .replace('<html lang="en"', () => `<html lang="${look?.language ?? "en"}"${theme}`)
    .replace(
      '<script type="module"',
      () => `<script type="module"${loads.app === undefined ? "" : ` data-app="./${loads.app}"`}`,
    )
    .replace('<base href="./"', `<base href="${base}"`)
    .replace("</head>", () => `${lines.join("")}</head>`)
    .replace('<div id="app">', () => `<div id="app">${drawn ?? ""}`);
}
