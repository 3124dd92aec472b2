import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { buildContract } from "../../packages/contract/buildContract.ts";
import { buildGo } from "../../packages/go/build.ts";
import { docsText } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { startBadDayServer } from "./badDayServer.ts";
import { startBrokenServer } from "./brokenServer.ts";
import { startInterruptedServer } from "./interruptedServer.ts";
import { createOutsideProject, exampleIn, hasProgram, markedLines, packageTestTimeoutMs } from "./outsideProject.ts";
import { startProgram } from "./runningProgram.ts";
import { startUnreliableServer } from "./unreliableServer.ts";

const projects = join(import.meta.dirname, "projects");

describe.skipIf(!hasProgram("go"))("Go module (skipped without go)", () => {
  test(
    "a new project gets it, sends, watches, queries typed rows and receives typed errors",
    async () => {
      const { folder, run, remove } = await createOutsideProject("go");
      const broken = await startBrokenServer();
      const unreliable = await startUnreliableServer();
      const badDay = await startBadDayServer();
      const interrupted = await startInterruptedServer();
      const { websiteId, apiKey } = await createWebsite();
      const dist = join(folder, "dist");
      // Downloaded modules come from Go's own cache; the module cache is new, since the package has no version of its own.
      const downloaded = join(process.env["GOMODCACHE"] ?? join(homedir(), "go/pkg/mod"), "cache/download");
      const env = {
        GOPROXY: `file://${dist}/go,file://${downloaded},${(await run("go", ["env", "GOPROXY"])).trim()}`,
        GONOSUMDB: "lookout.dev",
        GOMODCACHE: join(folder, "modules"),
        // Compiled packages are found again wherever the project is.
        GOFLAGS: "-mod=mod -modcacherw -trimpath",
        BASE: inject("lookout").baseUrl,
        BROKEN: broken.baseUrl,
        BROKEN_GRPC: broken.grpcUrl,
        UNRELIABLE: unreliable.baseUrl,
        BAD_DAY: badDay.baseUrl,
        BAD_DAY_GRPC: badDay.grpcUrl,
        BAD_DAY_SILENT: badDay.silentUrl,
        BAD_DAY_IDLE: badDay.idleUrl,
        INTERRUPTED: interrupted.grpcUrl,
        SECURE: interrupted.secureUrl,
        AUTHORITY: interrupted.authorityFile,
        PROXY: interrupted.proxyUrl,
        REFUSING_PROXY: interrupted.refusingProxyUrl,
        KEY: apiKey,
        WEBSITE: websiteId,
      };
      try {
        await buildContract(join(dist, "contract"));
        await buildGo(dist, "0.0.1");
        await run("go", ["mod", "init", "example.com/shop"], env);
        // A project for an older Go stays one.
        await run("go", ["mod", "edit", "-go=1.24.0"], env);
        const copied = ["calls", "badDay", "queue", "shop", "misspelt"];
        for (const name of [...copied, "example", "visitor", "orders", "double", "tested"])
          await mkdir(join(folder, name));
        for (const name of copied) await copyFile(join(projects, `${name}.go`), join(folder, name, "main.go"));
        await copyFile("examples/go/main.go", join(folder, "orders/main.go"));
        await copyFile(join(projects, "double_test.go"), join(folder, "double/double_test.go"));
        await run("go", ["get", "lookout.dev/client@v0.0.1"], env);
        const readme = await readFile(join(folder, "modules/lookout.dev/client@v0.0.1/README.md"), "utf8");
        await writeFile(join(folder, "example/main.go"), exampleIn(readme, "go"));
        await writeFile(join(folder, "tested/shop_test.go"), exampleIn(readme, "go", 2));
        await writeFile(join(folder, "visitor/main.go"), exampleIn(await docsText("docs/user/events.md"), "go"));
        await run("go", ["mod", "tidy"], env);
        await run(
          "go",
          ["build", "-o", "bin/", "./example", "./calls", "./badDay", "./queue", "./shop", "./visitor", "./orders"],
          env,
        );
        expect(await readFile(join(folder, "go.mod"), "utf8")).toContain("\ngo 1.24.0\n");
        await run("go", ["vet", "lookout.dev/client/...", "./calls", "./badDay", "./queue", "./shop"], env);
        expect(await run("go", ["test", "./double", "./tested"], env)).toMatch(/^ok .*double.*\nok .*tested/);
        expect(await run("go", ["test", "-v", "lookout.dev/client"], env)).toMatch(
          /^--- PASS: ExampleClient_AllLinks/m,
        );
        expect(await run("go", ["doc", "lookout.dev/client", "LinkCalls.CreateLink"], env)).toContain("write:links");
        const shown = await run("go", ["doc", "lookout.dev/client/querytype", "TopPages"], env);
        expect(shown).toContain("most viewed first");
        expect(shown).not.toContain("row.text");
        expect(await run("bin/calls", [], env)).toBe("done\n");
        expect(await run("bin/badDay", [], env)).toBe("done\n");
        expect(await run("bin/queue", [], env)).toBe("done\n");
        expect(await run("bin/shop", [], env)).toBe("done\n");
        expect(interrupted.proxied()).toBe(1);
        expect(await run("bin/example", [], env)).toMatch(/^page views: \d+\n/);
        const visited = await createWebsite();
        await run("bin/visitor", [], { ...env, KEY: visited.apiKey, WEBSITE: visited.websiteId });
        expect(await storedRows("events", visited.websiteId, 1)).toMatchObject([{ path: "/go", browser: "Firefox" }]);
        await sendOrder(folder);
        const compiled = await run("go", ["build", "-o", "bin/", "./misspelt"], env).catch(String);
        const lines = [...compiled.matchAll(/^misspelt\/main\.go:(\d+):/gm)].map(([, line]) => Number(line));
        expect(lines).toEqual(markedLines(await readFile(join(projects, "misspelt.go"), "utf8")));
      } finally {
        await broken.close();
        await unreliable.close();
        await badDay.close();
        await interrupted.close();
        await remove();
      }
    },
    packageTestTimeoutMs,
  );
});

/** examples/go: an order that is placed twice is one event. */
async function sendOrder(folder: string): Promise<void> {
  const shop = await createWebsite();
  const port = await freePort();
  const env = {
    PORT: String(port),
    BASE: inject("lookout").baseUrl,
    KEY: shop.apiKey,
    WEBSITE: shop.websiteId,
  };
  const program = startProgram("bin/orders", [], { cwd: folder, env });
  try {
    await expect.poll(program.output).toContain("orders at");
    const place = (body: string) => fetch(`http://127.0.0.1:${port}/orders`, { method: "POST", body });
    for (let time = 0; time < 2; time++) expect((await place('{"id": "4711", "total": 19.9}')).status).toBe(204);
    expect((await place("{}")).status).toBe(400);
    const [event] = await storedRows("events", shop.websiteId, 1);
    expect(event).toMatchObject({ name: "order" });
    expect(program.output()).not.toContain("not counted");
  } finally {
    await program.stop();
  }
}
