/**
 * Writes search.txt, social.txt, ai.txt and spam.txt from clones of Matomo's lists, whose folders are the two arguments: that of
 * searchengine-and-social-list and that of referrer-spam-list. Called by third_party/vendor.sh.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const [groups = "", spam = ""] = process.argv.slice(2);

type Engine = { readonly urls?: readonly string[] };
const engines = Object.values(parse(read(groups, "SearchEngines.yml")) as Record<string, readonly Engine[]>);
write("search", groups, "searchengine-and-social-list", "CC0 1.0", engines.flat().flatMap(({ urls = [] }) => urls));
for (const [name, file] of [
  ["social", "Socials.yml"],
  ["ai", "AIAssistants.yml"],
] as const)
  write(
    name,
    groups,
    "searchengine-and-social-list",
    "CC0 1.0",
    Object.values(parse(read(groups, file)) as Record<string, readonly string[]>).flat(),
  );
write("spam", spam, "referrer-spam-list", "public domain", read(spam, "spammers.txt").split("\n"));

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

/** One host a line, in lower case and without `www.`; entries with a path are left out, since only hosts are compared. */
function write(name: string, folder: string, repository: string, license: string, entries: readonly string[]): void {
  const hosts = entries.map((entry) => entry.trim().toLowerCase().replace(/^www\./, ""));
  const kept = [...new Set(hosts)].filter((host) => /^[a-z0-9{}.-]+\.[a-z0-9{}-]+$/.test(host)).sort();
  const version = execFileSync("git", ["-C", folder, "log", "-1", "--format=%cs, commit %H"], { encoding: "utf8" });
  const head = `# github.com/matomo-org/${repository} of ${version.trim()}; ${license}. Written by npm run vendor.`;
  writeFileSync(join(import.meta.dirname, `${name}.txt`), `${head}\n${kept.join("\n")}\n`);
}
