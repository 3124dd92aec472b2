import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { webhookEvents, webhookExample } from "../../codegen/client/webhookEvents.ts";
import { cacheFolder } from "../../packages/cacheFolder.ts";
import { buildContract } from "../../packages/contract/buildContract.ts";
import { buildJava } from "../../packages/java/build.ts";
import { createWebhookSecret, webhookHeaders } from "../../src/uptime/notifications/channels/kinds/webhookSignature.ts";
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
const hasJava = ["javac", "mvn"].every(hasProgram);

describe.skipIf(!hasJava)("Java package (skipped without javac or mvn)", () => {
  test(
    "a new project installs it, sends, watches, queries typed rows and receives typed errors",
    async () => {
      const { folder, run, remove } = await createOutsideProject("java");
      const broken = await startBrokenServer();
      const unreliable = await startUnreliableServer();
      const badDay = await startBadDayServer();
      const interrupted = await startInterruptedServer();
      const { websiteId, apiKey } = await createWebsite();
      const dist = join(folder, "dist");
      // Maven keeps what it got, but the package has no version of its own.
      const repository = join(cacheFolder(), "maven");
      await rm(join(repository, "dev/lookout"), { recursive: true, force: true });
      try {
        await buildContract(join(dist, "contract"));
        const jar = join(dist, await buildJava(dist, "0.0.1"));
        expect(await run("jar", ["--describe-module", "--file", jar])).toContain("dev.lookout.client@0.0.1 automatic");
        const sources = join(folder, "src/main/java");
        await mkdir(sources, { recursive: true });
        await copyFile(join(projects, "pom.xml"), join(folder, "pom.xml"));
        for (const name of ["Calls.java", "BadDay.java", "Queue.java", "Shop.java", "WithTestLookout.java"])
          await copyFile(join(projects, name), join(sources, name));
        await copyFile("examples/java/AlertReceiver.java", join(sources, "AlertReceiver.java"));
        const readme = await readFile(join(import.meta.dirname, "../../packages/java/README.md"), "utf8");
        await writeFile(join(sources, "Example.java"), exampleIn(readme, "java"));
        await writeFile(join(sources, "Setup.java"), exampleIn(readme, "java", 1));
        await writeFile(join(sources, "WithoutService.java"), exampleIn(readme, "java", 3));
        await writeFile(join(sources, "Visitor.java"), exampleIn(await docsText("docs/user/events.md"), "java"));
        const classpathOf = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath";
        const options = ["-q", "-B", `-Dmaven.repo.local=${repository}`, "-Dmdep.outputFile=classpath"];
        await run("mvn", [...options, "compile", classpathOf]);
        const classpath = `target/classes:${await readFile(join(folder, "classpath"), "utf8")}`;
        const env = {
          BASE: inject("lookout").baseUrl,
          BROKEN: broken.grpcUrl,
          NO_GRPC: broken.baseUrl,
          UNRELIABLE: unreliable.grpcUrl,
          BAD_DAY: badDay.grpcUrl,
          BAD_DAY_SILENT: badDay.silentUrl,
          BAD_DAY_IDLE: badDay.idleGrpcUrl,
          INTERRUPTED: interrupted.grpcUrl,
          SECURE: interrupted.secureUrl,
          AUTHORITY: interrupted.authorityFile,
          PROXY: interrupted.proxyUrl,
          REFUSING_PROXY: interrupted.refusingProxyUrl,
          KEY: apiKey,
          WEBSITE: websiteId,
        };
        expect(await run("java", ["-cp", classpath, "Calls"], env)).toMatch(/^page views: \d+\n(?:.*\n)*done\n$/);
        expect(await run("java", ["-cp", classpath, "BadDay"], env)).toBe("done\n");
        expect(await run("java", ["-cp", classpath, "Shop"], env)).toBe("done\n");
        expect(await run("java", ["-cp", classpath, "WithTestLookout"])).toBe("done\n");
        expect(await run("java", ["-cp", classpath, "WithoutService"])).toBe(
          "summer\n2\nlinks.createLink https://shop.example\nsigned_up\n",
        );
        expect(await run("java", ["-cp", classpath, "Setup"], env)).toMatch(
          /^signed_up (?:\d+|unknown)\nOn call true\nShop false\n$/,
        );
        const calls = await readFile(join(dist, "java-package/sources/dev/lookout/FunnelService.java"), "utf8");
        expect(calls).toContain("<p>Over HTTP: {@code POST /v1/query/goals}. Needs a key");
        expect(interrupted.proxied()).toBe(1);
        expect(interrupted.events()).toHaveLength(252);
        expect(interrupted.events()).toEqual(expect.arrayContaining(["order 1", "order 2", "order 251", "order 252"]));
        expect(await run("java", ["-cp", classpath, "Queue"], env)).toBe("done\n");
        const visited = await createWebsite();
        await run("java", ["-cp", classpath, "Visitor"], { ...env, KEY: visited.apiKey, WEBSITE: visited.websiteId });
        expect(await storedRows("events", visited.websiteId, 1)).toMatchObject([{ path: "/java", browser: "Firefox" }]);
        await receiveAlerts(folder, classpath);
        const misspelt = join(projects, "Misspelt.java");
        const compiled = await run("javac", ["-cp", classpath, "-d", "out", misspelt]).catch(String);
        const lines = [...compiled.matchAll(/Misspelt\.java:(\d+): error:/g)].map(([, line]) => Number(line));
        expect(lines).toEqual(markedLines(await readFile(misspelt, "utf8")));
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

/** examples/java: what the service signs is printed once, and what somebody else signs is refused. */
async function receiveAlerts(folder: string, classpath: string): Promise<void> {
  const secret = createWebhookSecret();
  const port = await freePort();
  const env = { PORT: String(port), WEBHOOK_SECRET: secret };
  const program = startProgram("java", ["-cp", classpath, "AlertReceiver"], { cwd: folder, env });
  try {
    await expect.poll(program.output).toContain("alerts at");
    for (const event of webhookEvents) {
      const body = JSON.stringify(webhookExample(event));
      const send = async (signed: string) => {
        const headers = webhookHeaders(signed, event.type, Date.now(), body);
        return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers })).status;
      };
      expect([await send(secret), await send(secret), await send(createWebhookSecret())]).toEqual([204, 204, 400]);
    }
    const [, printed] = program.output().split(/^alerts at .*\n/m);
    expect(printed?.split("\n")).toEqual([
      expect.stringMatching(/^Shop is down: HTTP status 503/),
      "Shop is still down after 15 minutes",
      "Shop works again, after 60 s",
      "The certificate of Shop ends at 2026-12-05T00:00:00Z",
      "Messages reach the channel Ops.",
      "",
    ]);
  } finally {
    await program.stop();
  }
}
