import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { type Config, type Env, readConfig } from "../../src/config.ts";
import { PortChooser } from "../../stack/ports.ts";
import { findProgram } from "../../stack/programs.ts";
import { checkPostgres } from "../../stack/servers/postgres.ts";
import { type PartName, type Stack, startStack } from "../../stack/stack.ts";
import { processesOf } from "./processes.ts";

let directory: string;
const stacks: Stack[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-stack-"));
});
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.stop();
  await rm(directory, { recursive: true, force: true });
});
afterAll(() => expect(processesOf("lookout-stack-")).toEqual([]));

function configWith(env: Env): Config {
  const { cacheDir } = inject("lookout");
  return readConfig({ ...process.env, DATA_DIR: directory, CACHE_DIR: cacheDir, PORT: "0", ...env });
}

async function start(env: Env, parts?: readonly PartName[], lines: string[] = []): Promise<Stack> {
  const log = (line: string) => lines.push(line);
  const stack = await startStack({ config: configWith(env), log, parts, preferUsualPorts: false });
  stacks.push(stack);
  return stack;
}

describe("DESIGN 3: a missing requirement or a conflict is reported, and nothing is started", () => {
  test("no Java, no Go", async () => {
    const env = { PATH: "", JAVA_HOME: undefined, CACHE_DIR: join(directory, "cache") };
    const failure = await start(env).catch((error: Error) => error.message);
    expect(failure).toBe(
      [
        "QuestDB needs Java 17 or later; no java is in JAVA_HOME or on PATH. " +
          "Install a JRE (on Debian and Ubuntu: openjdk-17-jre-headless), or set QUESTDB_HTTP and QUESTDB_PG to a running QuestDB.",
        "There is no go on PATH to build the Temporal CLI with. " +
          "Install Go, or put the temporal CLI on PATH, or set TEMPORAL_ADDRESS to a running server.",
      ].join("\n"),
    );
    expect((await readdir(directory)).sort()).toEqual(["cache", "format"]);
  });

  test("no Maven, and QuestDB is in the cache without its patches", async () => {
    const cache = join(directory, "cache");
    await mkdir(join(cache, "questdb-9.3.4"), { recursive: true });
    const programs = join(directory, "programs");
    await mkdir(programs);
    await symlink(findProgram("java", process.env["PATH"] ?? "") ?? "", join(programs, "java"));
    await expect(start({ PATH: programs, CACHE_DIR: cache }, ["questdb"])).rejects.toThrow(
      /^QuestDB comes with Maven, and mvn is not on PATH\. Install Maven, or copy \S+\/questdb-9\.3\.4-\w{8} from a machine that has it, or set QUESTDB_HTTP and QUESTDB_PG to a running QuestDB\.$/,
    );
  });

  test("Maven gets another source of QuestDB than the published one", async () => {
    const programs = join(directory, "programs");
    await mkdir(programs);
    const real = `PATH="${process.env["PATH"]}" mvn "$@"`;
    const changed = '$(dirname "$3")/io/questdb/cairo/pool/ReaderPool.java';
    await writeFile(join(programs, "mvn"), `#!/bin/sh\n${real} && echo "// changed" >> "${changed}"\n`, {
      mode: 0o755,
    });
    const env = { PATH: `${programs}:${process.env["PATH"]}`, CACHE_DIR: join(directory, "cache") };
    await expect(start(env, ["questdb"])).rejects.toThrow(
      /^Maven got a build\/io\/questdb\/cairo\/pool\/ReaderPool\.java for QuestDB that is not the published one \(SHA-256 [0-9a-f]{64}\)\. Check your mirror, /,
    );
  });

  test("PORT is taken", async () => {
    const port = await new PortChooser(false).choose();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    await expect(start({ PORT: String(port) })).rejects.toThrow(
      `Port ${port} is taken. Stop what listens there, or set PORT to another number.`,
    );
    await new Promise((resolve) => server.close(resolve));
    expect(await readdir(directory)).toEqual(["format"]);
  });

  test("DATA_DIR is in use", async () => {
    await start({}, []);
    await expect(start({}, [])).rejects.toThrow(
      `Lookout already runs on ${directory} (process ${process.pid}). Stop it, or set DATA_DIR to another directory.`,
    );
  });

  test("a store given by address does not answer", async () => {
    const port = await new PortChooser(false).choose();
    const env = { DATABASE_URL: `postgres://lookout@127.0.0.1:${port}/lookout`, STACK_READY_TIMEOUT_MS: "300" };
    await expect(start(env, ["postgres"])).rejects.toThrow(
      `What DATABASE_URL names did not answer within 0.3 s: connect ECONNREFUSED 127.0.0.1:${port}. Start it, correct DATABASE_URL, or set STACK_READY_TIMEOUT_MS to more.`,
    );
  });

  test("QUESTDB_HTTP without QUESTDB_PG", async () => {
    await expect(start({ QUESTDB_HTTP: "http://127.0.0.1:9" }, ["questdb"])).rejects.toThrow(
      "QUESTDB_HTTP and QUESTDB_PG go together: set both to addresses of one QuestDB, or neither.",
    );
  });

  test("TEMPORAL=server with a PostgreSQL given by address", async () => {
    const env = { TEMPORAL: "server", DATABASE_URL: inject("lookout").databaseUrl };
    await expect(start(env, ["temporal"])).rejects.toThrow(
      "TEMPORAL=server keeps its data in the PostgreSQL of npm start, and DATABASE_URL names another one. " +
        "Unset DATABASE_URL, set TEMPORAL=dev, or set TEMPORAL_ADDRESS to a Temporal server of your own.",
    );
  });

  test("a process that cannot start shows the end of its log", async () => {
    const script = join(import.meta.dirname, "fixtures", "breaks.ts");
    const options = {
      config: configWith({}),
      log: () => undefined,
      parts: ["worker"] as const,
      scripts: { worker: script },
    };
    await expect(startStack(options)).rejects.toThrow(
      `The worker ended with exit code 3. The end of ${join(directory, "logs", "worker.log")}:\nno such luck`,
    );
  });
});

describe("DESIGN 3: the API does not wait for Temporal, whose first start takes minutes", () => {
  test("events are accepted meanwhile, and the worker starts when Temporal answers", async () => {
    const real = join(inject("lookout").cacheDir, "temporal-v1.5.1", "temporal");
    const gate = join(directory, "gate");
    const script = `#!/bin/sh\nuntil [ -e ${gate} ]; do sleep 0.1; done\nexec ${real} "$@"\n`;
    const programs = join(directory, "programs");
    await mkdir(programs);
    await writeFile(join(programs, "temporal"), script, { mode: 0o755 });
    const early = Promise.withResolvers<Config>();
    const config = configWith({ PATH: `${programs}:${process.env["PATH"]}` });
    const starting = startStack({
      config,
      log: () => undefined,
      preferUsualPorts: false,
      onEarlyApi: early.resolve,
    });
    starting.catch(early.reject);
    const { server, stack } = await early.promise;
    const { websiteId } = JSON.parse(await readFile(join(stack.dataDir, "credentials.json"), "utf8"));
    const readyz = async () => await (await fetch(`${server.baseUrl}/readyz`)).json();
    expect(await readyz()).toMatchObject({ stores: { postgres: "ok", temporal: "starting" } });
    const events = [{ name: "page_view", path: "/", anonymousId: "a", sessionId: "s" }];
    const sent = await fetch(`${server.baseUrl}/batch?website_id=${websiteId}`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
      body: JSON.stringify(events),
    });
    expect(await sent.json()).toMatchObject({ status: "success", processed: 1 });
    await writeFile(gate, "");
    stacks.push(await starting);
    await expect.poll(readyz).toMatchObject({ stores: { temporal: "ok" } });
  });
});

describe("DESIGN 3: servers are kept running", () => {
  test("stores given by address are used and not started", async () => {
    const { databaseUrl, questdbHttp, questdbPg, temporalAddress } = inject("lookout");
    const given = {
      DATABASE_URL: databaseUrl,
      QUESTDB_HTTP: questdbHttp,
      QUESTDB_PG: questdbPg,
      TEMPORAL_ADDRESS: temporalAddress,
    };
    const stack = await start(given, ["questdb", "temporal", "postgres"]);
    expect(stack.config.postgres.url).toBe(databaseUrl);
    expect(stack.config.questdb.http).toBe(questdbHttp);
    expect(stack.config.temporal.address).toBe(temporalAddress);
    expect((await readdir(directory)).sort()).toEqual(["format", "running.json"]);
  });

  test("a killed server stays down until it is started again, on the same port", async () => {
    const stack = await start({}, ["postgres"]);
    const { url } = stack.config.postgres;
    await stack.kill("postgres");
    await expect(checkPostgres(url)).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    await stack.restart("postgres");
    await expect(checkPostgres(url)).resolves.toBeUndefined();
  });

  test("a server that ends by itself is restarted, with a message", async () => {
    const lines: string[] = [];
    const stack = await start({}, ["postgres"], lines);
    const postmaster = processesOf(join(directory, "postgres")).find((pid) => pid !== process.pid);
    if (postmaster === undefined) throw new Error("no PostgreSQL is running");
    process.kill(postmaster, "SIGKILL");
    await vi.waitFor(() => expect(lines).toContain("PostgreSQL answers again"), { timeout: 200_000, interval: 100 });
    await expect(checkPostgres(stack.config.postgres.url)).resolves.toBeUndefined();
    expect(lines).toContain(
      `PostgreSQL ended with signal SIGKILL, starting it again (its log: ${join(directory, "logs", "postgres.log")})`,
    );
  });
});
