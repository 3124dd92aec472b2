/**
 * Writes bots.txt, people.tsv and LICENSES.txt from clones of two public lists of user agents, whose folders are the two arguments: that of
 * crawler-user-agents and that of WhichBrowser's Parser-PHP. Called by third_party/vendor.sh. Only tests read them.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

const [bots = "", people = ""] = process.argv.slice(2);

/** Of each kind of device, spread evenly over the list. */
const perDevice = 300;

const crawlers = JSON.parse(read(bots, "crawler-user-agents.json")) as readonly { readonly instances: string[] }[];
const agents = crawlers.flatMap(({ instances }) => instances).filter((agent) => !/[\t\n]/.test(agent));
write("bots.txt", bots, "monperrus/crawler-user-agents", [...new Set(agents)].sort());

type Named = { readonly name?: string; readonly type?: string };
type Case = {
  readonly headers: unknown;
  readonly result?: { readonly browser?: Named; readonly os?: Named; readonly device?: Named };
};
const lines = new Map<string, Set<string>>(["desktop", "mobile", "tablet", "television"].map((one) => [one, new Set()]));
for (const kind of lines.keys()) {
  const folder = join("tests/data", kind);
  for (const file of readdirSync(join(people, folder)).sort())
    for (const { headers, result } of (parse(read(people, join(folder, file))) ?? []) as readonly Case[]) {
      // Agents of browsers since about 2010: those before, and of programs and of feature phones, have other forms.
      const agent = /^User-Agent: ((?:Mozilla\/5\.0|Opera\/9\.80) \([^\t\n]*)$/.exec(String(headers))?.[1];
      const [browser, os, device] = [result?.browser, result?.os, result?.device];
      if (agent === undefined || browser?.type !== "browser") continue;
      lines.get(device?.type ?? "")?.add([device?.type, os?.name ?? "", browser.name ?? "", agent].join("\t"));
    }
}
const kept = [...lines.values()].flatMap((all) => {
  const step = Math.max(1, all.size / perDevice);
  return [...all].filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
});
write("people.tsv", people, "WhichBrowser/Parser-PHP", kept);

writeFileSync(
  join(import.meta.dirname, "LICENSES.txt"),
  `bots.txt and names.tsv:\n\n${read(bots, "LICENSE").trim()}\n\npeople.tsv:\n\n${read(people, "LICENSE").trim()}\n`,
);

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

function write(name: string, folder: string, repository: string, entries: readonly string[]): void {
  const version = execFileSync("git", ["-C", folder, "log", "-1", "--format=%cs, commit %H"], { encoding: "utf8" });
  const head = `# github.com/${repository} of ${version.trim()}; MIT. Written by npm run vendor.`;
  writeFileSync(join(import.meta.dirname, name), `${head}\n${entries.join("\n")}\n`);
}
