import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { buildContract } from "../../packages/contract/buildContract.ts";
import { buildPython } from "../../packages/python/build.ts";
import { docsText } from "../kit/calls/docsLines.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { startBrokenServer } from "./brokenServer.ts";
import { startInterruptedServer } from "./interruptedServer.ts";
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
      const interrupted = await startInterruptedServer();
      const { websiteId, apiKey } = await createWebsite();
      const dist = join(folder, "dist");
      try {
        await buildContract(join(dist, "contract"));
        const wheel = await buildPython(dist, "0.0.1");
        await run("python3", ["-m", "venv", "env"]);
        const checker = ["mypy==2.4.1", "pyright==1.1.414", "types-protobuf", "types-grpcio"];
        await run("env/bin/pip", ["install", "--quiet", "--disable-pip-version-check", join(dist, wheel), ...checker]);
        for (const name of [
          "calls.py",
          "plain_calls.py",
          "bad_day.py",
          "event_queue.py",
          "lasting_failures.py",
          "exports.py",
          "fake.py",
          "misspelt.py",
        ])
          await copyFile(join(projects, name), join(folder, name));
        const readme = await readFile(join(dist, "python/README.md"), "utf8");
        await writeFile(join(folder, "example.py"), exampleIn(readme, "python"));
        await writeFile(join(folder, "example_export.py"), exampleIn(readme, "python", 1));
        await writeFile(join(folder, "example_test.py"), exampleIn(readme, "python", 2));
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
        const ofPlainCalls = await createWebsite();
        const plain = { ...env, KEY: ofPlainCalls.apiKey, WEBSITE: ofPlainCalls.websiteId };
        expect(await run("env/bin/python", ["plain_calls.py"], plain)).toBe("done\n");
        const badDay = {
          INTERRUPTED: interrupted.grpcUrl,
          SECURE: interrupted.secureUrl,
          AUTHORITY: interrupted.authorityFile,
          PROXY: interrupted.proxyUrl,
          REFUSING_PROXY: interrupted.refusingProxyUrl,
        };
        expect(await run("env/bin/python", ["bad_day.py"], badDay)).toBe("done\n");
        expect(await run("env/bin/python", ["event_queue.py"], badDay)).toBe("done\n");
        expect(await run("env/bin/python", ["lasting_failures.py"], badDay)).toBe("done\n");
        const queued = interrupted.events().filter((id) => /^(?:many|closing|wrong|aio|exit)-/.test(id));
        expect(queued.toSorted(), "each event once, those at the end of the process too").toEqual(allQueued());
        expect(interrupted.proxied(), "calls through the proxy").toBe(1);
        expect(await run("env/bin/python", ["example.py"], env)).toMatch(/^page views: \d+\n/);
        expect(await run("env/bin/python", ["exports.py"], badDay)).toBe("done\n");
        expect(await run("env/bin/python", ["fake.py"])).toBe("done\n");
        await run("env/bin/python", ["example_test.py"]);
        expect(await run("env/bin/python", ["example_export.py"], env)).toMatch(/^100 %$/m);
        expect((await readFile(join(folder, "export.zip"))).subarray(0, 2).toString(), "a ZIP archive").toBe("PK");
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
        const files = [
          "calls.py",
          "plain_calls.py",
          "bad_day.py",
          "lasting_failures.py",
          "example.py",
          "example_export.py",
          "exports.py",
          "fake.py",
          "example_test.py",
          "visitor.py",
          "mark_deploy.py",
          "misspelt.py",
        ];
        const wanted = markedLines(await readFile(join(projects, "misspelt.py"), "utf8"));
        const errors = wanted.map((line) => ["misspelt.py", line]);
        expect(errorPlaces(await run("env/bin/mypy", ["--strict", ...files]).catch(String))).toEqual(errors);
        const inEnvironment = ["--pythonpath", "env/bin/python"];
        expect(errorPlaces(await run("env/bin/pyright", [...inEnvironment, ...files]).catch(String))).toEqual(errors);
      } finally {
        await broken.close();
        await unreliable.close();
        await interrupted.close();
        await remove();
      }
    },
    packageTestTimeoutMs,
  );
});

/** The files and lines of errors of mypy and of pyright, each line once. */
function errorPlaces(output: string): readonly (readonly [string, number])[] {
  const places = [...output.matchAll(/(\w+\.py):(\d+):(?:\d+)?(?: -)? error/g)];
  return [...new Set(places.map(([, name, line]) => `${name}:${line}`))].map((place) => {
    const [name = "", line] = place.split(":");
    return [name, Number(line)];
  });
}

/** The ids of the events that event_queue.py tracks and the server takes. */
function allQueued(): readonly string[] {
  const ids = (count: number, id: (at: number) => string) => Array.from({ length: count }, (_, at) => id(at));
  const many = ids(250, (at) => `many-${Math.floor(at / 25)}-${at % 25}`);
  const others = ["closing-1", "closing-3", "closing-5", "closing-6", "wrong-1", "exit-1", "exit-2"];
  return [...many, ...ids(151, (at) => `aio-${at}`), ...others].toSorted();
}
