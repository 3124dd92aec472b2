import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { planTemporal } from "../../stack/provision/temporal.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { type ComposeModel, type ComposeService, resolveCompose } from "../kit/stack/composeFile.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { startWorker, stopWorker } from "../kit/stack/workerProcess.ts";

/** What the images of compose.yaml contain, built with Go. */
function installed(program: string, file: string): string {
  return join(inject("lookout").cacheDir, program, file);
}

const server = () => installed("temporal-server-v1.31.2", "server");
const sqlTool = () => installed("temporal-sql-tool-v1.31.2", "sql");
const ui = () => installed("temporal-ui-v2.55.0", "server");

/** The server stores its ports as numbers of two bytes with a sign. */
async function lowPort(): Promise<number> {
  const server = createServer();
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    return port;
  }
}

describe("6: Temporal as compose.yaml runs it", () => {
  let directory: string;
  let stack: Stack | undefined;
  let model: ComposeModel;
  let process_: ChildProcess | undefined;
  let output = "";
  const ports = new Map<string, number>();
  const grpc = () => `127.0.0.1:${ports.get("FRONTEND_GRPC_PORT")}`;

  const isInstalled = () => [server(), sqlTool(), ui()].every(existsSync);

  beforeAll(async () => {
    if (!isInstalled()) return;
    directory = await mkdtemp(join(tmpdir(), "lookout-compose-"));
    await chmod(directory, 0o711);
    const { cacheDir } = inject("lookout");
    const config = readConfig({ ...process.env, DATA_DIR: join(directory, "data"), CACHE_DIR: cacheDir });
    const programs = join(directory, "bin");
    await mkdir(programs);
    await symlink(sqlTool(), join(programs, "temporal-sql-tool"));
    const signal = AbortSignal.timeout(60_000);
    await symlink(await planTemporal({ config, log: () => undefined, signal })(), join(programs, "temporal"));
    model = await resolveCompose();
    stack = await startStack({ config, log: () => undefined, parts: ["postgres"], preferUsualPorts: false });
    for (const role of ["FRONTEND", "MATCHING", "HISTORY", "WORKER"])
      for (const kind of ["GRPC", "MEMBERSHIP"]) ports.set(`${role}_${kind}_PORT`, await lowPort());
    ports.set("FRONTEND_HTTP_PORT", await freePort());
  });

  afterAll(async () => {
    if (process_ !== undefined && process_.exitCode === null) {
      process_.kill("SIGTERM");
      await once(process_, "exit");
    }
    await stack?.stop();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  /** The environment of a service, with the addresses of this machine instead of those of the network of containers. */
  function environmentOf(service: ComposeService | undefined): Record<string, string> {
    const { port = "", password = "" } = new URL(stack?.env["DATABASE_URL"] ?? "");
    const local: Record<string, string> = {
      SQL_HOST: "127.0.0.1",
      SQL_PORT: port,
      SQL_PASSWORD: password,
      DB_PORT: port,
      POSTGRES_SEEDS: "127.0.0.1",
      POSTGRES_PWD: password,
      BIND_ON_IP: "127.0.0.1",
      TEMPORAL_ADDRESS: grpc(),
      DYNAMIC_CONFIG_FILE_PATH: "deploy/temporal/lookout.yaml",
    };
    const given = Object.entries(service?.environment ?? {}).map(([name, value]) => [
      name,
      local[name] ?? String(value),
    ]);
    const path = [join(directory, "bin"), process.env["PATH"]].join(delimiter);
    return { ...Object.fromEntries(given), PATH: path, HOME: directory };
  }

  async function runOnce(name: string, more: Record<string, string> = {}): Promise<number> {
    const service = model.services[name];
    const [program = "", ...args] = (service?.command ?? []).map((part) => part.replaceAll("$$", "$"));
    const env = { ...environmentOf(service), ...more };
    return await promisify(execFile)(program, args, { env, maxBuffer: 50_000_000 }).then(
      () => 0,
      ({ code, stderr }) => {
        output += stderr;
        return code as number;
      },
    );
  }

  async function isHealthy(name: string, from: string, port: number | undefined): Promise<boolean> {
    const [, program = "", ...args] = model.services[name]?.healthcheck?.test ?? [];
    const command = args.map((part) => part.replace(`:${from}/`, `:${port}/`));
    return await promisify(execFile)(program, command).then(
      () => true,
      () => false,
    );
  }

  test("its databases, server, namespace and Web UI are set up by the commands of compose.yaml, twice as once, and a worker works on it", async (context) => {
    if (!isInstalled()) context.skip("the Temporal server is not in the cache: start once with TEMPORAL=server");
    const temporal = model.services["temporal"];
    // In its image the program has this version.
    expect(server()).toContain(`v${temporal?.image.split(":")[1]}`);
    expect(ui()).toContain(`v${model.services["temporal-ui"]?.image.split(":")[1]}`);

    expect(await runOnce("temporal-schema"), output).toBe(0);
    expect(await runOnce("temporal-schema"), output).toBe(0);

    // The entry point of the image ends with this; it finds the address to listen on, which is given here.
    process_ = spawn(server(), ["start"], {
      env: {
        ...environmentOf(temporal),
        ...Object.fromEntries([...ports].map(([name, port]) => [name, String(port)])),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [process_.stdout, process_.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-20_000);
      });
    await expect
      .poll(
        async () => {
          if (process_?.exitCode !== null) throw new Error(output);
          return await isHealthy("temporal", "7243", ports.get("FRONTEND_HTTP_PORT"));
        },
        { timeout: 200_000 },
      )
      .toBe(true)
      .catch((error: unknown) => {
        throw new Error(`The server is not healthy:\n${output.slice(-2_000)}`, { cause: error });
      });
    expect(await isHealthy("temporal", "7243", await freePort())).toBe(false);

    expect(await runOnce("temporal-namespace"), output).toBe(0);
    expect(await runOnce("temporal-namespace", { TEMPORAL_RETENTION: "96h" }), output).toBe(0);
    const answer = await fetch(`http://127.0.0.1:${ports.get("FRONTEND_HTTP_PORT")}/api/v1/namespaces/default`);
    expect(await answer.json()).toMatchObject({ config: { workflowExecutionRetentionTtl: "345600s" } });

    const worker = startWorker({ ...inject("lookout"), temporalAddress: grpc() }, "default");
    try {
      await worker.isReady;
    } finally {
      await stopWorker(worker, "SIGTERM");
    }
  }, 400_000);
});
