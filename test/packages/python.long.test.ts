import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { buildContract } from "../../packages/contract/buildContract.ts";
import { buildPython } from "../../packages/python/build.ts";
import { docsText } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { startBrokenServer } from "./brokenServer.ts";
import { createOutsideProject, exampleIn, hasProgram, markedLines, packageTestTimeoutMs } from "./outsideProject.ts";
import { startUnreliableServer } from "./unreliableServer.ts";

const projects = join(import.meta.dirname, "projects");

describe.skipIf(!hasProgram("python3"))("Python wheel (skipped without python3)", () => {
  test(
    "a new environment installs it, sends, watches, queries typed rows and receives typed errors",
    async () => {
      const { folder, run, remove } = await createOutsideProject("python");
      const broken = await startBrokenServer();
      const unreliable = await startUnreliableServer();
      const { websiteId, apiKey } = await createWebsite();
      const dist = join(folder, "dist");
      try {
        await buildContract(join(dist, "contract"));
        const wheel = await buildPython(dist, "0.0.1");
        await run("python3", ["-m", "venv", "env"]);
        const checker = ["mypy==2.4.1", "types-protobuf", "types-grpcio"];
        await run("env/bin/pip", ["install", "--quiet", "--disable-pip-version-check", join(dist, wheel), ...checker]);
        for (const name of ["calls.py", "misspelt.py"]) await copyFile(join(projects, name), join(folder, name));
        const readme = await readFile(join(dist, "python/README.md"), "utf8");
        await writeFile(join(folder, "example.py"), exampleIn(readme, "python"));
        await writeFile(join(folder, "visitor.py"), exampleIn(await docsText("docs/user/events.md"), "python"));
        const env = {
          BASE: inject("lookout").baseUrl,
          BROKEN: broken.grpcUrl,
          NO_GRPC: broken.baseUrl,
          UNRELIABLE: unreliable.grpcUrl,
          KEY: apiKey,
          WEBSITE: websiteId,
        };
        expect(await run("env/bin/python", ["calls.py"], env)).toBe("done\n");
        expect(await run("env/bin/python", ["example.py"], env)).toMatch(/^page views: \d+\n/);
        const visited = await createWebsite();
        await run("env/bin/python", ["visitor.py"], { ...env, KEY: visited.apiKey, WEBSITE: visited.websiteId });
        expect(await storedRows("events", visited.websiteId, 1)).toMatchObject([
          { path: "/python", browser: "Firefox" },
        ]);
        await copyFile("examples/python/mark_deploy.py", join(folder, "mark_deploy.py"));
        const deployed = await createWebsite();
        const marking = { BASE: env.BASE, KEY: deployed.apiKey, WEBSITE: deployed.websiteId };
        for (let time = 0; time < 2; time++)
          expect(await run("env/bin/python", ["mark_deploy.py", "2.4.1"], marking)).toMatch(
            /^deploy of 2\.4\.1 is marked\npage views of yesterday: unknown\n/,
          );
        const marks = await storedRows("events", deployed.websiteId, 1);
        expect(marks).toMatchObject([{ name: "deploy" }]);
        const types = await run("env/bin/mypy", [
          "--strict",
          "calls.py",
          "example.py",
          "visitor.py",
          "mark_deploy.py",
          "misspelt.py",
        ]).catch(String);
        const places = [...types.matchAll(/^(\S+\.py):(\d+): error: /gm)].map(([, name, line]) => [name, Number(line)]);
        const wanted = markedLines(await readFile(join(projects, "misspelt.py"), "utf8"));
        expect(places).toEqual(wanted.map((line) => ["misspelt.py", line]));
      } finally {
        await broken.close();
        await unreliable.close();
        await remove();
      }
    },
    packageTestTimeoutMs,
  );
});
