import { mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { fullBytes } from "../../src/health/diskSpace.ts";
import { prepareDirectory } from "../../stack/disk.ts";
import { formerLogs, keepFormerLog } from "../../stack/formerLogs.ts";
import { acquireLock } from "../../stack/lock.ts";
import { isPortFree, listensOn, PortChooser } from "../../stack/ports.ts";
import { elapsed } from "../../stack/progress.ts";
import { buildDuration } from "../../stack/provision/go.ts";
import { findJava, javaMajorVersion } from "../../stack/provision/java.ts";
import { restartDelayMs, type ServerSpec, shownLine, supervise } from "../../stack/supervisor.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-pieces-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Listens on a free port while `work` runs. */
async function withListener<T>(work: (port: number) => Promise<T>): Promise<T> {
  const port = await new PortChooser(false).choose();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  try {
    return await work(port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe("DESIGN 3: ports", () => {
  test("a free default port is used, once", async () => {
    const usual = await new PortChooser(false).choose();
    const chooser = new PortChooser(true);
    expect(await chooser.choose(usual)).toBe(usual);
    expect(await chooser.choose(usual)).not.toBe(usual);
  });

  test("another port is chosen if the default is in use", async () => {
    await withListener(async (usual) => {
      expect(await isPortFree(usual)).toBe(false);
      const chosen = await new PortChooser(true).choose(usual);
      expect(chosen).not.toBe(usual);
      expect(await isPortFree(chosen)).toBe(true);
    });
  });

  test("a port is attributed to the process that listens on it, and to no other", async () => {
    await withListener(async (port) => {
      expect(listensOn(process.pid, port)).toBe(true);
      expect(listensOn(process.ppid, port)).toBe(false);
      expect(listensOn(process.pid, await new PortChooser(false).choose())).toBe(false);
    });
  });

  test("a held port is taken for others until it is released, and refuses who connects", async () => {
    const { port, release } = await new PortChooser(false).hold();
    expect(await isPortFree(port)).toBe(false);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
    await release();
    expect(await isPortFree(port)).toBe(true);
  });

  test("many at once are all different", async () => {
    const chooser = new PortChooser(false);
    const ports = await Promise.all(Array.from({ length: 50 }, () => chooser.choose()));
    expect(new Set(ports).size).toBe(50);
  });
});

describe("DESIGN 3: readiness", () => {
  test("an answer of another process on the same port does not count as the server's", async () => {
    await withListener(async (port) => {
      const spec: ServerSpec = {
        label: "The server",
        command: process.execPath,
        args: ["--eval", "setInterval(() => undefined, 1_000)"],
        env: process.env,
        cwd: directory,
        logFile: join(directory, "server.log"),
        stopSignal: "SIGTERM",
        stopTimeoutMs: 1_000,
        readyTimeoutMs: 300,
        ports: [port],
        ready: async () => undefined,
      };
      await expect(supervise(spec, () => undefined, new AbortController().signal)).rejects.toThrow(
        "The server did not answer within 0.3 s; on a slow machine set STACK_READY_TIMEOUT_MS to more. The end of",
      );
    });
  });
});

describe("DESIGN 3: a server that answers but does not work", () => {
  test("is ended and started again, and watched again, until it is stopped", async () => {
    const lines: string[] = [];
    const watches: AbortSignal[] = [];
    const started: (number | undefined)[] = [];
    const thirdRun = Promise.withResolvers<void>();
    const spec: ServerSpec = {
      label: "The server",
      command: process.execPath,
      args: ["--eval", "setInterval(() => undefined, 1_000)"],
      env: process.env,
      cwd: directory,
      logFile: join(directory, "server.log"),
      stopSignal: "SIGTERM",
      stopTimeoutMs: 10_000,
      readyTimeoutMs: 60_000,
      ports: [],
      ready: async ({ pid }) => void started.push(pid),
      watch: async (ended) => {
        watches.push(ended);
        if (watches.length < 3) return "does nothing";
        thirdRun.resolve();
        return await new Promise<string>(() => undefined);
      },
    };
    const server = await supervise(spec, (line) => lines.push(line), new AbortController().signal);
    await thirdRun.promise;
    expect(server.processIds()).toEqual([started[2]]);
    expect(new Set(started).size).toBe(3);
    expect(watches.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    const ending = "The server does nothing: ending it, so that it starts again";
    expect(lines.filter((line) => line === ending)).toHaveLength(2);
    await server.stop();
    expect(watches.every(({ aborted }) => aborted)).toBe(true);
  });
});

describe("DESIGN 3: locks", () => {
  test("a held lock names its holder, a released one is free", async () => {
    const first = await acquireLock(directory);
    if (!("lock" in first)) throw new Error("the lock of a new directory is held");
    expect(await acquireLock(directory)).toEqual({ heldBy: process.pid });
    await first.lock.release();
    const second = await acquireLock(directory);
    if (!("lock" in second)) throw new Error("the lock stayed held");
    await second.lock.release();
  });
});

describe("DESIGN 3: small decisions", () => {
  test.each([
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['openjdk version "21" 2023-09-19', 21],
    ['java version "1.8.0_392"', 8],
    ["something else", undefined],
  ])("%s is Java %s", (output, version) => {
    expect(javaMajorVersion(output)).toBe(version);
  });

  test.each([
    [undefined, 2, "minutes"],
    [480, 2, "about 4 minutes"],
    [480, 16, "about a minute"],
  ])("a build of %s s of processor time on %s cores takes %s", (cpuSeconds, cores, duration) => {
    expect(buildDuration(cpuSeconds, cores)).toBe(duration);
  });

  test("a server that keeps ending is restarted with growing delays, up to 10 s", () => {
    expect([0, 1, 2, 10].map(restartDelayMs)).toEqual([250, 500, 1_000, 10_000]);
  });

  test.each([
    [
      '{"level":60,"msg":"the API stopped","err":{"message":"no room","stack":"Error: no room\\n at x"}}',
      "the API stopped: no room",
    ],
    ['{"msg":"QuestDB is not ready","reason":"refused"}', "QuestDB is not ready: refused"],
    ["FATAL: could not open file", "FATAL: could not open file"],
  ])("a log line is shown without its stack trace: %s", (line, shown) => {
    expect(shownLine(line)).toBe(shown);
  });

  test("durations are shown in readable units", () => {
    expect(elapsed(0, 4_240)).toBe("4.2 s");
    expect(elapsed(0, 185_000)).toBe("3 min 5 s");
  });

  test("the logs of the last five runs are kept, each with the time of its last line", async () => {
    const file = join(directory, "api.log");
    await keepFormerLog(file);
    for (let run = 1; run <= 7; run += 1) {
      await writeFile(file, `run ${run}`);
      await utimes(file, run, run);
      await keepFormerLog(file);
    }
    await writeFile(join(directory, "api-2.log"), "of another part");
    await writeFile(file, "");
    await keepFormerLog(file);
    const logs = await formerLogs(file);
    expect(logs.map((log) => log.slice(directory.length + 1))).toEqual(
      [3, 4, 5, 6, 7].map((second) => `api.19700101T00000${second}000Z.log`),
    );
    expect(await readFile(logs[0] ?? "", "utf8")).toBe("run 3");
  });

  test("a JAVA_HOME without Java is said, since another Java is used", async () => {
    const lines: string[] = [];
    const config = readConfig({ ...process.env, JAVA_HOME: directory, CACHE_DIR: directory });
    const java = await findJava(config, AbortSignal.timeout(60_000), (line) => lines.push(line));
    expect(lines).toEqual([`JAVA_HOME (${directory}) has no Java 17 or later, so ${java} is used`]);
  });

  test("a full disk is reported with the setting to change", async () => {
    await expect(prepareDirectory("DATA_DIR", directory, { firstFreeBytes: 2 ** 60, minFreeBytes: 0 })).rejects.toThrow(
      /^Only \d+ MiB are free at .*, 1099511627776 MiB are needed\. Free some space or set DATA_DIR to a directory on another disk\.$/,
    );
  });

  test.runIf(process.platform === "linux")(
    "a directory that cannot be made is an error with the setting to change",
    async () => {
      const room = { firstFreeBytes: 0, minFreeBytes: 0 };
      await prepareDirectory("DATA_DIR", join(directory, "one", "two"), room);
      expect((await stat(join(directory, "one", "two"))).isDirectory()).toBe(true);
      // It is there, and takes no entries.
      await expect(prepareDirectory("DATA_DIR", "/proc/lookout/data", room)).rejects.toThrow(
        /^Cannot make \/proc\/lookout\/data \(.*\)\. Set DATA_DIR to a directory you may write to\.$/,
      );
    },
  );

  test("a directory that is in use needs less room than a first start, and none on a full disk is enough", async () => {
    await writeFile(join(directory, "format"), "1");
    await prepareDirectory("DATA_DIR", directory, { firstFreeBytes: 2 ** 60, minFreeBytes: 0 });
    await expect(prepareDirectory("DATA_DIR", directory, { firstFreeBytes: 0, minFreeBytes: 2 ** 60 })).rejects.toThrow(
      /1099511627776 MiB are needed/,
    );
    const { firstFreeBytes, minFreeBytes } = readConfig({}).stack;
    expect({ firstFreeBytes, minFreeBytes }).toEqual({ firstFreeBytes: 1_073_741_824, minFreeBytes: fullBytes });
  });
});
