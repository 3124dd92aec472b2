import { existsSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { buildClientJs } from "../../packages/client-js/build.ts";
import { createLookout, downloadExport, EXPORTED_DATA } from "../../packages/client-js/src/node.ts";
import { docsText } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { createOutsideProject, exampleIn, markedLines, type OutsideProject } from "./outsideProject.ts";
import { readmePieces } from "./readmePieces.ts";

const repository = join(import.meta.dirname, "../..");
const tsc = join(repository, "node_modules/typescript/bin/tsc");
const { baseUrl } = inject("lookout");

let project: OutsideProject;

/** A project that installs @lookout/client as packed, and compiles the example of its README and the files of projects/. */
beforeAll(async () => {
  project = await createOutsideProject("client-js");
  const { folder, run } = project;
  const tarball = await buildClientJs(folder, "0.0.1");
  await writeFile(join(folder, "package.json"), '{"type": "module"}');
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", [...install, `./${tarball}`, "@types/node@24.19.2", "deno@2.9.6", "bun@1.4.5"]);
  const readme = await readFile(join(folder, "node_modules/@lookout/client/README.md"), "utf8");
  await writeFile(join(folder, "example.ts"), exampleIn(readme, "ts"));
  await writeFile(join(folder, "testing.ts"), exampleIn(readme, "ts", 1));
  await writeFile(join(folder, "visitor.ts"), exampleIn(await docsText("docs/user/events.md"), "ts"));
  for (const name of ["calls.ts", "misspelt.ts", "webhook.ts"])
    await copyFile(join(import.meta.dirname, "projects", name), join(folder, name));
});

afterAll(() => project.remove());

function compile(...files: readonly string[]): Promise<string> {
  const strict = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--verbatimModuleSyntax"];
  const options = [...strict, "--target", "es2022", "--module", "nodenext", "--types", "node"];
  return project.run(process.execPath, [tsc, ...options, ...files]);
}

test("the example and a service's calls compile, with the types of the package checked as well", async () => {
  await compile("example.ts", "testing.ts", "visitor.ts", "calls.ts", "webhook.ts");
});

test("every piece of code in the README compiles", async () => {
  const pieces = readmePieces(await readFile(join(project.folder, "node_modules/@lookout/client/README.md"), "utf8"));
  expect(pieces.length).toBeGreaterThan(7);
  const names = pieces.map((_, index) => `piece${index}.ts`);
  await Promise.all(names.map((name, index) => writeFile(join(project.folder, name), pieces[index] ?? "")));
  await compile("--noEmit", ...names);
});

test("with the rules of bundlers, Node's client has its own name", async () => {
  const text = `import https from "node:https";
import { createLookout, downloadExport } from "@lookout/client/node";
const lookout = createLookout({ baseUrl: "https://a.example", agent: new https.Agent() });
createLookout({ baseUrl: "https://a.example", protocol: "grpc" });
await downloadExport(lookout, "id", "export.zip");
`;
  await writeFile(join(project.folder, "bundled.ts"), text);
  await compile("--noEmit", "--module", "esnext", "--moduleResolution", "bundler", "bundled.ts");
});

test("a misspelt column, query type or member does not compile", async () => {
  const text = await readFile(join(project.folder, "misspelt.ts"), "utf8");
  const output = await compile("misspelt.ts").catch(String);
  expect([...output.matchAll(/^misspelt\.ts\((\d+),/gm)].map(([, line]) => Number(line))).toEqual(markedLines(text));
});

type Runtime = { readonly program: string; readonly args: readonly string[] };

/** The Node of this repository, an older one if the system has it, Deno and Bun. */
const runtimes: readonly Runtime[] = [
  ...[process.execPath, "/usr/bin/node"].filter(existsSync).map((program) => ({ program, args: [] })),
  { program: "node_modules/.bin/deno", args: ["run", "--allow-all"] },
  { program: "node_modules/.bin/bun", args: [] },
];

describe.each(runtimes)("on $program", ({ program, args }) => {
  test("a webhook is verified, and the README's test without a service runs", async () => {
    expect(await project.run(program, [...args, "webhook.js"])).toBe("test WRONG_SIGNATURE\n");
    expect(await project.run(program, [...args, "testing.js"])).toBe("");
  });

  test.for(["connect", "grpc", "grpc-web"])(
    "a service sends, watches, queries and receives errors over %s",
    async (protocol) => {
      const { websiteId, apiKey } = await createWebsite();
      const env = { BASE: baseUrl, KEY: apiKey, WEBSITE: websiteId };
      expect(await project.run(program, [...args, "calls.js", protocol], env)).toBe("done\n");
      const lookout = createLookout({ baseUrl, apiKey, websiteId });
      const paths = async () => {
        const [pages] = (await lookout.query({ preset: "today", parameters: ["top_pages"] })).data;
        return pages.data?.map(({ path }) => path);
      };
      await expect.poll(paths).toContain(`/end-${protocol}`);
    },
  );
});

test("the example of the README runs", async () => {
  // The query may come before the event is stored: then there are none of a day that is known, instead of an unknown number.
  const { websiteId, apiKey } = await createWebsite({ firstEventOn: "2026-01-01" });
  const output = await project.run(process.execPath, ["example.js"], {
    BASE: baseUrl,
    KEY: apiKey,
    WEBSITE: websiteId,
  });
  expect(output).toMatch(/^page views: \d+\n/);
});

test("events with a wrong key are not lost: flush throws the service's error, and they wait", async () => {
  const { websiteId } = await createWebsite();
  const events = { onBlocked: () => undefined, onDropped: () => undefined };
  const lookout = createLookout({ baseUrl, apiKey: "lk_wrong", websiteId, events });
  lookout.events.track({ name: "signup" });
  await expect(lookout.events.flush()).rejects.toMatchObject({
    code: "INVALID_API_KEY",
    requestId: expect.any(String),
  });
  expect(lookout.events.size).toBe(1);
  await lookout.close();
});

test("the docs' example of a visitor that a server describes runs", async () => {
  const { websiteId, apiKey } = await createWebsite();
  await project.run(process.execPath, ["visitor.js"], { BASE: baseUrl, KEY: apiKey, WEBSITE: websiteId });
  expect(await storedRows("events", websiteId, 1)).toMatchObject([{ path: "/typescript", browser: "Firefox" }]);
});

test("an export of the service is downloaded", async () => {
  const { websiteId, apiKey } = await createWebsite({ scopes: ["export:data"] });
  const lookout = createLookout({ baseUrl, apiKey, websiteId });
  const days = { startDate: "2026-01-01", endDate: "2026-01-02" };
  const { exportId } = await lookout.data.createExport({ websiteId, ...days, format: "csv", dataTypes: EXPORTED_DATA });
  const path = join(project.folder, "export.zip");
  await downloadExport(lookout, exportId, path);
  expect((await readFile(path)).subarray(0, 2).toString()).toBe("PK");
  await lookout.close();
});
