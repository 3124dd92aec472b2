import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createLookout } from "../../packages/client-js/src/node.ts";
import { buildTracker } from "../../packages/tracker/build.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { startBrowser } from "../kit/servers/chromium.ts";
import { startTestSites } from "../kit/servers/testSites.ts";
import { createOutsideProject, exampleIn, type OutsideProject, packageTestTimeoutMs } from "./outsideProject.ts";

const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");

let project: OutsideProject;

beforeAll(async () => {
  project = await createOutsideProject("tracker");
  const tarball = await buildTracker(project.folder, "0.0.1");
  await writeFile(join(project.folder, "package.json"), '{"type": "module"}');
  await project.run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", `./${tarball}`]);
});

afterAll(() => project.remove());

test(
  "The example of the README compiles, is bundled, and tracks a page in a browser",
  async () => {
    const { folder, run } = project;
    const { websiteId, apiKey } = await createWebsite({ domain: "shop.example" });
    const readme = await readFile(join(folder, "node_modules/@lookout/tracker/README.md"), "utf8");
    const example = exampleIn(readme, "ts")
      .replace("<website id>", websiteId)
      .replace("https://lookout.example", inject("lookout").baseUrl);
    await writeFile(join(folder, "example.ts"), example);
    const options = "--strict --noEmit --target es2022 --module esnext --moduleResolution bundler".split(" ");
    await run(process.execPath, [tsc, ...options, "example.ts"]);
    const { outputFiles } = await build({
      absWorkingDir: folder,
      entryPoints: ["example.ts"],
      bundle: true,
      format: "esm",
      write: false,
    });
    const sites = await startTestSites(() => `<script type="module">${outputFiles[0]?.text}</script>`);
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(sites.pageUrl("shop.example", "/pricing"));
      await page.close();
      // While the browser is open: it ends with what it has not sent yet.
      const lookout = createLookout({ baseUrl: inject("lookout").baseUrl, apiKey, websiteId });
      await expect
        .poll(async () => {
          const { data } = await lookout.query({ preset: "today", parameters: ["top_pages", "custom_events"] });
          return [data[0].data?.map(({ path }) => path), data[1].data?.map(({ name }) => name)];
        })
        .toEqual([["/pricing"], ["signup"]]);
    } finally {
      await browser.close();
      await sites.close();
    }
  },
  packageTestTimeoutMs,
);
