import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { buildClientJs } from "../../../packages/client-js/build.ts";
import { createLookout } from "../../../packages/client-js/src/node.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { createOutsideProject, type OutsideProject } from "../outsideProject.ts";

const repository = join(import.meta.dirname, "../../..");
const { baseUrl } = inject("lookout");
const name = "weeklyReport.ts";

let project: OutsideProject;

/** A project that installs @lookout/client as packed, and has the example as it stands in the repository. */
beforeAll(async () => {
  project = await createOutsideProject("example-typescript");
  const { folder, run } = project;
  const tarball = await buildClientJs(folder, "0.0.1");
  await writeFile(join(folder, "package.json"), '{"type": "module"}');
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", [...install, `./${tarball}`, "@types/node@24.19.2"]);
  await copyFile(join(repository, "examples/typescript", name), join(folder, name));
});

afterAll(() => project.remove());

test("the weekly report compiles", async () => {
  const options = "--strict --noUncheckedIndexedAccess --noEmit --target es2022 --module nodenext --types node".split(
    " ",
  );
  await project.run(process.execPath, [join(repository, "node_modules/typescript/bin/tsc"), ...options, name]);
});

test("the weekly report writes what was sent, and no formula", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const lookout = createLookout({ baseUrl, apiKey, websiteId });
  for (const [index, path] of ["/", '/"a",b', "/"].entries())
    lookout.events.track({ name: "page_view", path, anonymousId: `v${index}`, utmCampaign: "=sum(1)" });
  await lookout.close();
  const env = { BASE: baseUrl, KEY: apiKey, WEBSITE: websiteId };
  const report = () => project.run(process.execPath, [name, "last_7d"], env);
  await expect.poll(report).toContain('"website","visitors","visitors",3,');
  const lines = (await report()).split("\n");
  expect(lines[0]).toBe('"what","name","figure","period","period before"');
  expect(lines.filter((line) => line.startsWith('"page"')).map((line) => line.replace(/,[^,]*$/, ""))).toEqual([
    '"page","/","visitors",2',
    '"page","/""a"",b","visitors",1',
  ]);
  expect(lines.find((line) => line.startsWith('"campaign"'))).toMatch(/^"campaign","'=sum\(1\)","visitors",3,/);
});

test("the weekly report says what is wrong, and fails", async () => {
  const { websiteId } = await createWebsite();
  const env = { BASE: baseUrl, KEY: "lk_wrong", WEBSITE: websiteId };
  await expect(project.run(process.execPath, [name], env)).rejects.toThrow(/INVALID_API_KEY: /);
  await expect(project.run(process.execPath, [name, "lst_week"], env)).rejects.toThrow(/no preset lst_week/);
});
