import { readFileSync } from "node:fs";
import { quoted, table } from "./markdown.ts";

type Setting = {
  readonly names: readonly string[];
  readonly standard: string;
  readonly meaning: string;
  readonly isTuning: boolean;
};

/**
 * The settings of src/config.ts: one table of those that people set, and one for each group of the others. A setting's doc comment is its
 * meaning. The tag `@setting` names variables that the line below does not show, `@default` a default that is no number or text, and
 * `@tuning` keeps a setting out of the first table.
 */
export function settingsTables(): string {
  const source = readSource();
  const groups = groupsOf(source).map(({ group, members }) => ({ group, settings: settingsOf(members, source) }));
  const all = groups.flatMap(({ settings }) => settings);
  requireEach(
    source,
    all.flatMap(({ names }) => names),
  );
  const tuning = groups.map(({ group, settings }) => ({ group, settings: settings.filter((each) => each.isTuning) }));
  return [
    "## Set these",
    tableOf(all.filter(({ isTuning }) => !isTuning)),
    "## Tuning",
    ...tuning
      .filter(({ settings }) => settings.length > 0)
      .map(({ group, settings }) => `### ${titleOf(group)}\n\n${tableOf(settings)}`),
  ].join("\n\n");
}

/** What was a setting: the constants of src/config.ts with the tag `@fixed`, which names the variable. */
export function fixedValuesTable(): string {
  const members = groupsOf(readSource()).flatMap((group) => membersOf(group.members));
  const rows = members.flatMap(({ comment, code }) => {
    const name = tagOf(comment, "fixed");
    if (name === undefined) return [];
    const [, literal] = /: ([\d_]+),/.exec(code) ?? [];
    if (literal === undefined) throw new Error(`src/config.ts: ${name} is no fixed number`);
    return [[shownDefault(name, literal), textOf(comment), quoted(name)]];
  });
  return table(["value", "meaning", "was"], rows);
}

function readSource(): string {
  return readFileSync(new URL("../../src/config.ts", import.meta.url), "utf8");
}

function groupsOf(source: string): { readonly group: string; readonly members: string }[] {
  const groups = source.matchAll(/^ {4}(\w+): \{\n(.*?)^ {4}\},$/gms);
  return [...groups].map(([, group = "", members = ""]) => ({ group, members }));
}

/** The members of a group that have a doc comment. */
function membersOf(members: string): { readonly comment: string; readonly code: string }[] {
  const commented = members.split(/^(?= {6}\/\*\*)/m).map((part) => part.split("*/\n"));
  return commented.map(([comment = "", code = ""]) => ({ comment: plainText(comment), code }));
}

function settingsOf(members: string, source: string): Setting[] {
  return membersOf(members).flatMap(({ comment, code }) => settingOf(comment, code, source));
}

function tagOf(comment: string, tag: string): string | undefined {
  return new RegExp(`@${tag} ([^@]*)`).exec(comment)?.[1]?.trim();
}

function textOf(comment: string): string {
  return comment.split(" @")[0] ?? "";
}

function settingOf(comment: string, code: string, source: string): Setting[] {
  if (tagOf(comment, "fixed") !== undefined) return [];
  const [, called, plain] = /\(env, "(\w+)"|: env\["(\w+)"\]/.exec(code) ?? [];
  const names = tagOf(comment, "setting")?.split(", ") ?? [called ?? plain ?? ""];
  if (names.some((name) => name === "" || ofTheSystem.includes(name))) return [];
  const literal = new RegExp(`\\(env, "${names[0]}", ([\\d_]+|"[^"]*")`).exec(source)?.[1];
  const standard = tagOf(comment, "default") ?? shownDefault(names[0] ?? "", literal);
  return [{ names, standard, meaning: textOf(comment), isTuning: / @tuning\b/.test(comment) }];
}

/** Variables that are no settings of the service. */
const ofTheSystem = ["PATH", "XDG_CACHE_HOME"];

function shownDefault(name: string, literal: string | undefined): string {
  if (literal === undefined || literal === '""') return "none";
  if (literal.startsWith('"')) return `\`${literal.slice(1, -1)}\``;
  const value = Number(literal.replaceAll("_", ""));
  const unit = units.find(({ ending, size }) => name.endsWith(ending) && value >= size && value % size === 0);
  return unit === undefined ? `\`${value}\`` : `\`${value}\` (${value / unit.size} ${unit.shown})`;
}

const units = [
  { ending: "_MS", size: 86_400_000, shown: "d" },
  { ending: "_MS", size: 3_600_000, shown: "h" },
  { ending: "_MS", size: 60_000, shown: "min" },
  { ending: "_MS", size: 1_000, shown: "s" },
  { ending: "_BYTES", size: 2 ** 30, shown: "GiB" },
  { ending: "_BYTES", size: 2 ** 20, shown: "MiB" },
  { ending: "_BYTES", size: 2 ** 10, shown: "KiB" },
] as const;

const names: Readonly<Record<string, string>> = {
  questdb: "QuestDB",
  postgres: "PostgreSQL",
  notifications: "Notifications",
  mcp: "Assistants (MCP)",
};

function titleOf(group: string): string {
  const words = group.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return names[group] ?? words.replace(/^./, (letter) => letter.toUpperCase());
}

function tableOf(settings: readonly Setting[]): string {
  const rows = settings.map(({ names, standard, meaning }) => [names.map(quoted).join(", "), standard, meaning]);
  return table(["variable", "default", "meaning"], rows);
}

/** Throws when a variable that is read has no row, or a row's variable is not read. */
function requireEach(source: string, documented: readonly string[]): void {
  const read = new Set([...source.matchAll(/(?:\(env, |env\[)"(\w+)"/g)].map(([, name = ""]) => name));
  const missing = [...read].filter((name) => !documented.includes(name) && !ofTheSystem.includes(name));
  const unknown = documented.filter((name) => !read.has(name));
  if (missing.length + unknown.length > 0)
    throw new Error(
      `src/config.ts: settings without a doc comment: ${missing.join(", ")}; unknown settings: ${unknown.join(", ")}`,
    );
}

/** The text of a doc comment on one line. */
function plainText(comment: string): string {
  return comment
    .replace("/**", "")
    .replace(/^\s*\*\s?/gm, " ")
    .replace(/\s+/g, " ")
    .trim();
}
