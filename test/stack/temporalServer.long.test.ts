import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { registerSearchAttributes } from "../../src/store/temporal/registerSearchAttributes.ts";
import { attributesOf, lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { TemporalConnection } from "../../src/store/temporal/temporalConnection.ts";
import { installedAt } from "../../stack/provision/install.ts";
import { serverVersion } from "../../stack/provision/temporalServer.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { processesOf } from "./processes.ts";

const cached = () => readConfig({ ...process.env, CACHE_DIR: inject("lookout").cacheDir });

/** Building it takes minutes of all cores, so it is tested where it is installed, or where this run is to use it. */
const isWanted = () => {
  const config = cached();
  return config.stack.temporal !== "dev" || existsSync(installedAt(config, `temporal-server-${serverVersion}`));
};

let directory: string;
const stacks: Stack[] = [];
const connections: TemporalConnection[] = [];

beforeEach(async ({ skip }) => {
  skip(!isWanted(), "The Temporal server is not installed. TEMPORAL=server installs it.");
  directory = await mkdtemp(join(tmpdir(), "lookout-temporal-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(directory, 0o711);
});
afterEach(async () => {
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
  for (const stack of stacks.splice(0)) await stack.stop();
  if (directory) await rm(directory, { recursive: true, force: true });
});
afterAll(() => expect(processesOf("lookout-temporal-")).toEqual([]));

async function start(temporal: "server" | "cluster", lines: string[] = []): Promise<Stack> {
  const config = readConfig({
    ...process.env,
    DATA_DIR: directory,
    CACHE_DIR: inject("lookout").cacheDir,
    TEMPORAL: temporal,
    TEMPORAL_ADDRESS: undefined,
    TEMPORAL_UI: undefined,
    DATABASE_URL: undefined,
    TEMPORAL_NAMESPACE: "shop",
  });
  const parts = ["temporal", "postgres"] as const;
  const stack = await startStack({ config, log: (line) => lines.push(line), parts, preferUsualPorts: false });
  stacks.push(stack);
  return stack;
}

function connect(stack: Stack): TemporalConnection {
  const connection = new TemporalConnection(stack.config.temporal);
  connections.push(connection);
  return connection;
}

async function stop(stack: Stack): Promise<void> {
  stacks.splice(stacks.indexOf(stack), 1);
  await stack.stop();
}

/** Names of the open sockets of a process. */
function socketsOf(processId: number): string[] {
  return readdirSync(`/proc/${processId}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${processId}/fd/${name}`)];
    } catch {
      // Closed since it was listed.
      return [];
    }
  });
}

/** 127.0.0.0/8 in proc_pid_net(5). */
const thisMachine = /^[0-9A-F]{6}7F:/;

/** What the processes of Temporal listen on, as in proc_pid_net(5). */
function listeningAddresses(): string[] {
  const addresses = new Map(
    ["tcp", "tcp6"]
      .flatMap((file) => readFileSync(`/proc/net/${file}`, "utf8").split("\n"))
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === "0A")
      .map((fields) => [`socket:[${fields[9]}]`, fields[1] ?? ""]),
  );
  return processesOf(join(directory, "temporal")).flatMap((pid) =>
    socketsOf(pid).flatMap((socket) => addresses.get(socket) ?? []),
  );
}

const statusOf = async ({ client }: TemporalConnection, workflowId: string) =>
  (await client.workflow.getHandle(workflowId).describe()).status.name;

describe("6: the Temporal server as in production, on the PostgreSQL of npm start", () => {
  test("keeps its workflows over kill -9 and starts, in one process or one for each role, and listens on this machine alone", async () => {
    const server = await start("server");
    const first = connect(server);
    const { config: namespace } = await first.workflowService.describeNamespace({ namespace: "shop" });
    expect(Number(namespace?.workflowExecutionRetentionTtl?.seconds)).toBe(86_400);
    await registerSearchAttributes(first, "shop");
    const begin = (connection: TemporalConnection, workflowId: string) =>
      connection.client.workflow.start("waiting", {
        workflowId,
        taskQueue: "nobody",
        typedSearchAttributes: attributesOf("waiting"),
      });
    await begin(first, "before-kill");
    const ui = await fetch(`${server.config.temporal.uiUrl}/api/v1/namespaces/shop/workflows/before-kill`);
    expect(await ui.json()).toMatchObject({ workflowExecutionInfo: { type: { name: "waiting" } } });

    await server.kill("temporal");
    await server.restart("temporal");
    await expect.poll(() => statusOf(first, "before-kill")).toBe("RUNNING");
    await stop(server);

    const lines: string[] = [];
    const cluster = await start("cluster", lines);
    const second = connect(cluster);
    expect(await statusOf(second, "before-kill")).toBe("RUNNING");
    expect(listeningAddresses().filter((address) => !thisMachine.test(address))).toEqual([]);
    // Of each role a port for the others, one for the membership and one for metrics; the HTTP API and the Web UI.
    expect(listeningAddresses()).toHaveLength(14);

    const history = processesOf(join(directory, "temporal")).find((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, "utf8").endsWith("--service\0history\0"),
    );
    if (history === undefined) throw new Error("no process has the role history");
    process.kill(history, "SIGKILL");
    await vi.waitFor(() => expect(lines).toContain("Temporal's history answers again"), {
      timeout: 200_000,
      interval: 100,
    });
    await begin(second, "after-kill");
    const query = `${lookoutKind.name} = "waiting"`;
    await expect.poll(async () => (await second.client.workflow.count(query)).count).toBe(2);
  });
});
