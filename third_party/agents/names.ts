/**
 * Writes names.tsv from a clone of crawler-user-agents, whose folder is the argument: name, kind and pattern of each bot. Called by
 * third_party/vendor.sh. src/visitors/namedBots.ts reads it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder = ""] = process.argv.slice(2);

type Listed = { readonly pattern: string; readonly instances: readonly string[]; readonly tags?: readonly string[] };

/** The kinds of the list's tags. Of several the first one here counts. */
const kindsByTag = [
  ["ai-crawler", "ai_crawler"],
  ["search-engine", "search_engine"],
  ["monitoring", "monitoring"],
  ["social-preview", "link_preview"],
  ["browser-automation", "headless_browser"],
  ["http-library", "http_library"],
  ["feed-reader", "feed_reader"],
  ["advertising", "advertising"],
  ["archiver", "archiver"],
  ["academic", "academic"],
  ["scanner", "scanner"],
  ["seo", "seo"],
] as const;

const listed = JSON.parse(readFileSync(join(folder, "crawler-user-agents.json"), "utf8")) as readonly Listed[];
const lines = listed.map(({ pattern, instances, tags = [] }) => {
  // A pattern such as `[cC]laude[bB]ot` is no name; what it finds in the list's own examples is one.
  const example = instances.map((agent) => new RegExp(pattern).exec(agent)?.[0]).find((found) => found !== undefined);
  const kind = kindsByTag.find(([tag]) => tags.includes(tag))?.[1] ?? "other_bot";
  return [plainName(example ?? pattern), kind, pattern].join("\t");
});
const version = execFileSync("git", ["-C", folder, "log", "-1", "--format=%cs, commit %H"], { encoding: "utf8" });
const head = `# github.com/monperrus/crawler-user-agents of ${version.trim()}; MIT. Written by npm run vendor.`;
writeFileSync(join(import.meta.dirname, "names.tsv"), `${head}\n${lines.join("\n")}\n`);

/** Without the signs around it, and never longer than a name. */
function plainName(found: string): string {
  const name = found.replace(/\\/g, "").replace(/^[^\p{L}\p{N}@]+|[^\p{L}\p{N}!]+$/gu, "");
  return name.slice(0, 64) || "other bot";
}
