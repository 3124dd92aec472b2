import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));

/** What users read, and what is made of it: comments of the contract become OpenAPI, /docs and the clients. */
const publicFiles = [
  ...filesOf("proto/lookout", ".proto"),
  "src/gen/lookout/openapi.json",
  ...filesOf("packages/client-js/src/gen/lookout", ".ts"),
  ...filesOf("docs/user", ".md"),
  ...["go", "java", "python", "client-js", "contract"].map((name) => `packages/${name}/README.md`),
  ...filesOf("web/app/src/texts", ".ts"),
];

/** Texts of errors and of tools for assistants, which stand between the comments of the code. */
const sources = filesOf("src", ".ts").filter((path) => !path.startsWith("src/gen/"));

describe("users read pages that explain, and never the specification", () => {
  test.each(publicFiles)("%s does not cite it", (path) => {
    expect(citedIn(read(path))).toEqual([]);
  });

  test("no text of the code cites it", () => {
    const cited = sources.flatMap((path) => citedIn(withoutComments(read(path))).map((line) => `${path}: ${line}`));
    expect(cited).toEqual([]);
  });

  test.each(filesOf("proto/lookout", ".proto"))("%s names only pages that exist", (path) => {
    const pages = [...read(path).matchAll(/docs\/[\w/-]+\.md/g)].map(([page]) => page);
    expect(pages.filter((page) => !page.startsWith("docs/user/") || !existsSync(join(root, page)))).toEqual([]);
  });
});

function citedIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => /specification/i.test(line));
}

function withoutComments(code: string): string {
  return code.replace(/\/\*.*?\*\//gs, "").replace(/^\s*\/\/.*$/gm, "");
}

function filesOf(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
    .sort();
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
