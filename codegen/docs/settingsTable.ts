import { readFileSync } from "node:fs";
import { quoted, table } from "./markdown.ts";

type Setting = { readonly names: readonly string[]; readonly standard: string; readonly meaning: string };

/**
 * The settings of src/config.ts, a table for each of its groups. A setting's doc comment is its meaning; the tag
 * `@setting` names variables that the line below does not show, `@default` a default that is no number or text.
 */
export function settingsTables(): string {
  const source = readFileSync(new URL("../../src/config.ts", import.meta.url), "utf8");
  const groups = source.matchAll(/^ {4}(\w+): \{\n(.*?)^ {4}\},$/gms);
  const tables = [...groups].map(([, group = "", members = ""]) => ({ group, settings: settingsOf(members, source) }));
  requireEach(
    source,
    tables.flatMap(({ settings }) => settings.flatMap(({ names }) => names)),
  );
  return tables
    .filter(({ settings }) => settings.length > 0)
    .map(({ group, settings }) => tableOf(group, settings))
    .join("\n\n");
}

function settingsOf(members: string, source: string): Setting[] {
  const commented = members.split(/^(?= {6}\/\*\*)/m).map((part) => part.split("*/\n"));
  return commented.flatMap(([comment = "", code = ""]) => settingOf(plainText(comment), code, source));
}

function settingOf(comment: string, code: string, source: string): Setting[] {
  const tag = (name: string) => new RegExp(`@${name} ([^@]*)`).exec(comment)?.[1]?.trim();
  const [, called, plain] = /\(env, "(\w+)"|: env\["(\w+)"\]/.exec(code) ?? [];
  const names = tag("setting")?.split(", ") ?? [called ?? plain ?? ""];
  if (names.some((name) => name === "" || ofTheSystem.includes(name))) return [];
  const literal = new RegExp(`\\(env, "${names[0]}", ([\\d_]+|"[^"]*")`).exec(source)?.[1];
  const standard = tag("default") ?? shownDefault(names[0] ?? "", literal);
  return [{ names, standard, meaning: comment.split(" @")[0] ?? "" }];
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

function tableOf(group: string, settings: readonly Setting[]): string {
  const words = group.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const title = names[group] ?? words.replace(/^./, (letter) => letter.toUpperCase());
  const rows = settings.map(({ names, standard, meaning }) => [names.map(quoted).join(", "), standard, meaning]);
  return `## ${title}\n\n${table(["variable", "default", "meaning"], rows)}`;
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
