import { copyFile, readFile, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { buildContract } from "../../packages/contract/buildContract.ts";
import { buildPython } from "../../packages/python/build.ts";
import { docsText } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { startBrokenServer } from "./brokenServer.ts";
import { createOutsideProject, exampleIn, hasProgram, packageTestTimeoutMs } from "./outsideProject.ts";

describe.skipIf(!hasProgram("python3"))("Python wheel (skipped without python3)", () => {
  test(
    "a new environment installs it, sends, watches, queries and receives typed errors",
    async () => {
      const { folder, run, remove } = await createOutsideProject("python");
      const broken = await startBrokenServer();
      const silent = createServer().listen(0, "127.0.0.1");
      const { websiteId, apiKey } = await createWebsite();
      const dist = join(folder, "dist");
      try {
        await buildContract(join(dist, "contract"));
        const wheel = await buildPython(dist, "0.0.1");
        await run("python3", ["-m", "venv", "env"]);
        const checker = ["mypy==2.4.1", "types-protobuf", "types-grpcio"];
        await run("env/bin/pip", ["install", "--quiet", "--disable-pip-version-check", join(dist, wheel), ...checker]);
        await copyFile(join(import.meta.dirname, "projects/calls.py"), join(folder, "calls.py"));
        const readme = await readFile(join(dist, "python/README.md"), "utf8");
        await writeFile(join(folder, "example.py"), exampleIn(readme, "python"));
        await writeFile(join(folder, "visitor.py"), exampleIn(await docsText("docs/user/events.md"), "python"));
        const env = {
          BASE: inject("lookout").baseUrl,
          BROKEN: broken.baseUrl,
          SILENT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
          KEY: apiKey,
          WEBSITE: websiteId,
        };
        expect(await run("env/bin/python", ["calls.py"], env)).toBe("done\n");
        expect(await run("env/bin/python", ["example.py"], env)).toContain("summary_metrics [{");
        const visited = await createWebsite();
        await run("env/bin/python", ["visitor.py"], { ...env, KEY: visited.apiKey, WEBSITE: visited.websiteId });
        expect(await storedRows("events", visited.websiteId, 1)).toMatchObject([
          { path: "/python", browser: "Firefox" },
        ]);
        await writeFile(
          join(folder, "misspelt.py"),
          "from lookout.v1.query_pb2 import Query\nQuery(presett='today')\n",
        );
        const types = await run("env/bin/mypy", ["--strict", "example.py", "visitor.py", "misspelt.py"]).catch(String);
        expect([...types.matchAll(/^\S+\.py:\d+: error: .*/gm)].map(String)).toEqual([
          expect.stringMatching(/^misspelt\.py:2: .*argument "presett"/),
        ]);
      } finally {
        silent.close();
        await broken.close();
        await remove();
      }
    },
    packageTestTimeoutMs,
  );
});
