import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { docTables } from "../codegen/docs/docTables.ts";
import { removedSettings, replacedSettings } from "../src/removedSettings.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const pages = [
  "README.md",
  "CHANGELOG.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
].sort();
const testTexts = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => read(join("test", name)));
const { scripts } = JSON.parse(read("package.json"));

test("the README is short", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(12_000);
});

describe.each(pages)("%s", (page) => {
  const text = read(page);

  test("each relative link leads to a file, and to a heading of it", () => {
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
    expect(targets.filter((target) => !/^https?:/.test(target) && !leadsSomewhere(page, target))).toEqual([]);
  });

  test("each path of the source that it names exists", () => {
    const named = [
      ...text.matchAll(
        /(?<![\w./<])(?:src|workflows|stack|web|codegen|test|bench|proto|third_party|docs)\/[\w./-]*\w/g,
      ),
    ];
    const paths = named.filter(
      ({ index, 0: path }) =>
        !/[<*{]/.test(text[index + path.length] ?? "") && !text.slice(index + path.length).startsWith("/<"),
    );
    expect(paths.map(([path]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("each npm script that it names exists", () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("it names no setting of an earlier version", () => {
    const [current = ""] = page === "CHANGELOG.md" ? [] : text.split("## Fixed values");
    const named = [...current.matchAll(/`([A-Z][A-Z0-9_]+)(?:=[^`]*)?`/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => name in removedSettings || name in replacedSettings)).toEqual([]);
  });

  test("its commands are run by a test", () => {
    const isRun = testTexts.some((test) => test.includes(`runDocsLines("${page}"`));
    expect(isRun).toBe(/^```sh$/m.test(text));
  });

  test("it is reached from the README", () => {
    expect(page === "README.md" || read("README.md").includes(`](${page})`)).toBe(true);
  });
});

test.each(Object.entries(docTables))("the table of %s equals the code's", async (name, { page, text }) => {
  expect(read(page)).toContain(`<!-- generated: ${name} -->\n\n${await text()}\n\n<!-- end -->\n`);
});

describe("the tree of the architecture page", () => {
  const [, tree = ""] = /^ {4}src\/.*\n((?: {6}.*\n)+)/m.exec(read("docs/develop/architecture.md")) ?? [];
  const lines = tree.split(/\n(?= {6}\S)/).map((line) => {
    const [, name = "", text = ""] = /^ {6}(\S+)\s+(.*)$/s.exec(line) ?? [];
    return { name, text };
  });

  test("has a line for every folder and file of src, and no other", () => {
    expect(lines.map(({ name }) => name).sort()).toEqual(
      entriesOf("src").map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)),
    );
  });

  test.each(lines.filter(({ name }) => name.endsWith("/") && name !== "gen/"))("$name with its folders", (line) => {
    const named = [...line.text.matchAll(/(?<![\w/])(\w+)\/(?![\w*])/g)].map(([, name]) => name);
    const folders = entriesOf(join("src", line.name)).filter((entry) => entry.isDirectory());
    expect(named.sort()).toEqual(folders.map(({ name }) => name));
  });
});

test("the dependencies page gives a reason for every dependency", () => {
  const page = read("docs/develop/dependencies.md");
  const names = Object.keys(dependencies());
  expect(names.filter((name) => !page.includes(name.replace(/^@temporalio\/.*/, "@temporalio/*")))).toEqual([]);
});

test("every version is exact", () => {
  expect(Object.values(dependencies()).filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});

test("package.json has the version of the newest entry of the changelog", () => {
  const [, newest] = /^## (\d+\.\d+\.\d+)$/m.exec(read("CHANGELOG.md")) ?? [];
  expect(JSON.parse(read("package.json"))).toMatchObject({ version: newest, license: "Apache-2.0" });
});

function leadsSomewhere(page: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : relative(root, join(root, dirname(page), path));
  return existsSync(join(root, file)) && (anchor === undefined || anchorsOf(file).has(anchor));
}

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const outsideBlocks = read(page).replace(/^```.*?^```$/gms, "");
  return new Set(
    [...outsideBlocks.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function dependencies(): Readonly<Record<string, string>> {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read("package.json"));
  return { ...dependencies, ...devDependencies, ...optionalDependencies };
}

/** What a folder holds, by name. */
function entriesOf(folder: string): readonly Dirent[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

test("the examples of tests in docs/develop/working.md are test/example.*.test.ts", () => {
  const examples = [...read("docs/develop/working.md").matchAll(/^ {2}```ts\n(.*?)^ {2}```/gms)];
  expect(examples.map(([, code = ""]) => code.replace(/^ {2}/gm, ""))).toEqual([
    read("test/example.http.test.ts"),
    read("test/example.long.test.ts"),
  ]);
});
