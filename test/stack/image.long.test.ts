import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createPerson } from "../kit/calls/person.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { type ComposeService, resolveCompose } from "../kit/stack/composeFile.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { makeNamespace } from "../kit/stack/workerProcess.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What the last stage of Dockerfile copies from the project; the web app is built in the stage before. */
async function copiedPaths(): Promise<string[]> {
  const dockerfile = await readFile(join(root, "Dockerfile"), "utf8");
  const [, last = ""] = /.*^FROM (.*)/ms.exec(dockerfile) ?? [];
  return [...last.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = ""]) => paths.split(" "));
}

describe("6: the image has what its containers run, as compose.yaml starts them", () => {
  let directory: string;
  let api: ComposeService;
  let worker: ComposeService;
  let namespace: Awaited<ReturnType<typeof makeNamespace>>;
  const children: ChildProcess[] = [];
  let output = "";

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "lookout-image-"));
    const { databaseUrl, questdbHttp, questdbPg, temporalAddress } = inject("lookout");
    for (const path of await copiedPaths()) {
      await mkdir(join(directory, dirname(path)), { recursive: true });
      await cp(join(root, path), join(directory, path), { recursive: true });
    }
    await symlink(join(root, "node_modules"), join(directory, "node_modules"));
    namespace = await makeNamespace(temporalAddress);
    const [port, workerPort] = [await freePort(), await freePort()];
    const settings = {
      PORT: String(port),
      OPERATIONS_HOST: "127.0.0.1",
      WORKER_OPERATIONS_PORT: String(workerPort),
      DATABASE_URL: databaseUrl,
      QUESTDB_HTTP: questdbHttp,
      QUESTDB_PG: questdbPg,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: namespace.namespace,
    };
    const { services } = await resolveCompose(settings);
    if (services["api"] === undefined || services["worker"] === undefined)
      throw new Error("compose.yaml lacks a service");
    [api, worker] = [services["api"], services["worker"]];
  });

  afterAll(async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null) continue;
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await namespace?.remove();
    await rm(directory, { recursive: true, force: true });
  });

  /** Of a container: its own settings, and its places on this machine. */
  function environmentOf({ environment = {} }: ComposeService): Record<string, string> {
    const { dataDir } = inject("lookout");
    const here: Record<string, string> = {
      HOST: "127.0.0.1",
      DATA_DIR: join(directory, "data"),
      QUESTDB_ROOT: join(dataDir, "questdb", "db"),
    };
    const given = Object.entries(environment).map(([name, value]) => [name, here[name] ?? String(value)]);
    return { PATH: process.env["PATH"] ?? "", HOME: directory, ...Object.fromEntries(given) };
  }

  async function isHealthy(service: ComposeService): Promise<boolean> {
    const [, , ...args] = (service.healthcheck?.test ?? []).map((part) => part.replaceAll("$$", "$"));
    return await promisify(execFile)(process.execPath, args, { env: environmentOf(service) }).then(
      () => true,
      () => false,
    );
  }

  test.each(["api", "worker"] as const)("%s starts and is healthy", async (name) => {
    const service = name === "api" ? api : worker;
    const [, ...args] = service.command ?? [];
    const child = spawn(process.execPath, args, { cwd: directory, env: environmentOf(service), stdio: "pipe" });
    children.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-5_000);
      });
    await expect
      .poll(async () => {
        if (child.exitCode !== null) throw new Error(`The ${name} ended with ${child.exitCode}:\n${output}`);
        return await isHealthy(service);
      })
      .toBe(true);
  });

  test("npm run recover gives an owner a new password", async () => {
    const { organizationId } = await createWebsite();
    const owner = await createPerson({ organizationId });
    const { stdout } = await promisify(execFile)("npm", ["run", "recover", "--", "--email", owner.email], {
      cwd: directory,
      env: environmentOf(api),
    });
    expect(stdout).toContain("has a new password");
  });

  test("npm run backup says what it needs", async () => {
    const failed = await promisify(execFile)("npm", ["run", "backup"], {
      cwd: directory,
      env: environmentOf(worker),
    }).catch((error: { code: number; stderr: string }) => error);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining("npm run backup -- --to <place>") });
  });
});

describe("6: the image of QuestDB has its patches", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "lookout-image-"));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test("its first stage compiles them from what it copies, and its Java takes classes from there", async (context) => {
    const dockerfile = await readFile(join(root, "deploy", "questdb", "Dockerfile"), "utf8");
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.*) (\S+)$/gm)];
    for (const [, sources = "", target = ""] of copies)
      for (const source of sources.split(" "))
        await cp(join(root, source), join(directory, target.endsWith("/") ? source : target), { recursive: true });
    const [, script = ""] = /^RUN CACHE_DIR=(.*)$/m.exec(dockerfile) ?? [];
    const here = script.replaceAll(/(^| )\/(cache|patch)/g, `$1${directory}/$2`);
    await promisify(execFile)("sh", ["-ec", `export CACHE_DIR=${here.replace(" ", "; ")}`], { cwd: directory });

    // The image has a runtime with QuestDB linked into it, and no jar.
    const { cacheDir } = inject("lookout");
    const installed = (await readdir(cacheDir)).find((name) => /^questdb-[\d.]+-\w+$/.test(name)) ?? "";
    const jar = join(cacheDir, installed, "questdb-9.3.4.jar");
    const linked = join(directory, "linked");
    const jlink = ["--module-path", jar, "--add-modules", "io.questdb", "--output", linked];
    const done = await promisify(execFile)("jlink", jlink).catch((error: NodeJS.ErrnoException) => error);
    if ("code" in done && done.code === "ENOENT") context.skip("there is no jlink");
    const { questdb } = (await resolveCompose()).services;
    const flags = (questdb?.command ?? []).map((flag) => flag.replace("=/patch", `=${directory}/patch`));
    const until = flags.indexOf("-m");
    expect(until).toBeGreaterThan(0);
    const java = join(linked, "bin", "java");
    for (const name of ["ReaderPool$R", "WalWriterPool$WalWriterTenant"]) {
      // It has no main method, and fails once it is loaded.
      const load = ["-Xlog:class+load", "-m", `io.questdb/io.questdb.cairo.pool.${name}`];
      const { stdout } = await promisify(execFile)(java, [...flags.slice(0, until), ...load], {
        maxBuffer: 10_000_000,
      }).catch((error: { stdout: string }) => error);
      expect(stdout).toContain(`${name} source: file:${directory}/patch/`);
    }
  });
});
