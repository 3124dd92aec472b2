import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import type { Config } from "../../src/config.ts";
import { StackError } from "../error.ts";
import { step } from "../progress.ts";
import type { Provisioning } from "../provision/install.ts";
import type { ServerSpec } from "../supervisor.ts";
import { runTool } from "../tool.ts";

const database = "lookout";
const attemptTimeoutMs = 2_000;
/** The user "nobody" on every common Linux. PostgreSQL refuses to run as root. */
const nobodyId = 65_534;

/** PostgreSQL on 127.0.0.1 with its data in DATA_DIR/postgres, created at the first start. */
export async function postgresServer(
  provisioning: Provisioning,
  installation: string,
  port: number,
): Promise<{ spec: ServerSpec; url: string }> {
  const { config } = provisioning;
  const home = join(config.stack.dataDir, "postgres");
  const data = join(home, "data");
  const runsAsRoot = process.getuid?.() === 0;
  await mkdir(home, { recursive: true, mode: 0o700 });
  await chmod(home, 0o700);
  if (runsAsRoot) await chown(home, nobodyId, nobodyId);
  const privileges = runsAsRoot ? privilegesOfNobody([installation, home]) : [];
  if (!existsSync(data)) await makeCluster(provisioning, installation, home, data, privileges);

  const password = await postgresPassword(home);
  const url = `postgres://lookout:${password}@127.0.0.1:${port}/${database}`;
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    // A path below DATA_DIR may exceed the maximum length of a socket's path.
    unix_socket_directories: "",
    shared_buffers: "64MB",
    // Each role of a Temporal server has two connection pools of its own.
    max_connections: config.stack.temporal === "dev" ? "100" : "200",
  };
  const spec: ServerSpec = {
    label: "PostgreSQL",
    command: join(installation, "bin", "postgres"),
    args: ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    env: environment(config),
    cwd: home,
    logFile: join(config.stack.dataDir, "logs", "postgres.log"),
    privileges,
    // An immediate shutdown: PostgreSQL's children end and its shared memory is released.
    deathSignal: "SIGQUIT",
    // A fast shutdown: it does not wait for clients to disconnect.
    stopSignal: "SIGINT",
    stopTimeoutMs: 15_000,
    readyTimeoutMs: config.stack.readyTimeoutMs,
    ports: [port],
    ready: () => makeDatabase(url),
  };
  return { spec, url };
}

/** The password of the user lookout. Rejects with a StackError if the password file of an existing database is lost. */
async function postgresPassword(home: string): Promise<string> {
  const file = join(home, "password");
  const password = (await readFile(file, "utf8").catch(() => "")).trim();
  if (password === "")
    throw new StackError(
      `${file} is missing, unreadable or empty, and without it the database cannot be opened. Restore it from a backup, ` +
        `or move ${home} away to begin with new accounts, websites and links.`,
    );
  return password;
}

/** Rejects if a query is not answered. */
export async function checkPostgres(url: string): Promise<void> {
  await query({ connectionString: url, connectionTimeoutMillis: attemptTimeoutMs }, "select 1");
}

async function makeCluster(
  { config, log, signal }: Provisioning,
  installation: string,
  home: string,
  data: string,
  privileges: readonly string[],
): Promise<void> {
  const part = join(home, "data.part");
  const passwordFile = join(home, "password");
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { mode: 0o700 });
  await writeFile(passwordFile, `${randomBytes(24).toString("hex")}\n`, { mode: 0o600 });
  if (privileges.length > 0) {
    await chown(part, nobodyId, nobodyId);
    await chown(passwordFile, nobodyId, nobodyId);
  }
  await step(log, "Making the PostgreSQL database", async (note) => {
    const { code, output } = await runTool(
      join(installation, "bin", "initdb"),
      [
        ["-D", part],
        ["--username", "lookout"],
        ["--pwfile", passwordFile],
        ["--auth", "scram-sha-256"],
        ["--encoding", "UTF8"],
        // The same sort order on every machine.
        ["--locale", "C"],
        ["--locale-provider", "builtin"],
        ["--builtin-locale", "C.UTF-8"],
      ].flat(),
      { env: environment(config), cwd: home, signal, onLine: note, privileges },
    );
    if (code !== 0)
      throw new StackError(
        `PostgreSQL could not make its database in ${data}:\n${output}\nCorrect that, or set DATABASE_URL to a running PostgreSQL.`,
      );
  });
  await rename(part, data);
}

/**
 * Options of setpriv(1) that turn root into the user "nobody". That user may not be able to enter DATA_DIR or CACHE_DIR, for
 * example below /root. Then the capability to pass directories is kept, which access(2) respects only with no_setuid_fixup.
 */
function privilegesOfNobody(directories: readonly string[]): string[] {
  const user = [`--reuid=${nobodyId}`, `--regid=${nobodyId}`, "--clear-groups", "--no-new-privs"];
  const closed = directories.find((directory) => !canAnyoneEnter(dirname(directory)));
  if (closed === undefined) return [...user, "--bounding-set=-all"];
  if (!hasCapabilities(capDacReadSearch, capSetpcap))
    throw new StackError(
      `PostgreSQL does not run as root but as user ${nobodyId}, which cannot enter ${dirname(closed)}. ` +
        "Set DATA_DIR and CACHE_DIR to directories that every user may enter, start as another user, or set DATABASE_URL.",
    );
  const capability = "dac_read_search";
  return [
    ...user,
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
    `--bounding-set=-all,+${capability}`,
    "--securebits=+no_setuid_fixup",
  ];
}

/** Numbers of capabilities(7). */
const capDacReadSearch = 2n;
const capSetpcap = 8n;

function hasCapabilities(...wanted: readonly bigint[]): boolean {
  const [, effective = "0"] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return wanted.every((capability) => (BigInt(`0x${effective}`) >> capability) & 1n);
}

function canAnyoneEnter(directory: string): boolean {
  const isOpen = (statSync(directory).mode & 0o001) !== 0;
  return isOpen && (dirname(directory) === directory || canAnyoneEnter(dirname(directory)));
}

/** The server's time zone and messages must not depend on who starts it. */
function environment(config: Config) {
  return { ...config.stack.environment, LC_ALL: "C", TZ: "UTC", PGDATA: undefined, PGPORT: undefined };
}

async function makeDatabase(url: string): Promise<void> {
  try {
    await checkPostgres(url);
  } catch (error) {
    const missing = error instanceof pg.DatabaseError && error.code === "3D000";
    if (!missing) throw error;
    const ofServer = {
      connectionString: url.replace(/\/[^/]*$/, "/postgres"),
      connectionTimeoutMillis: attemptTimeoutMs,
    };
    await query(ofServer, `create database ${database}`);
  }
}

/** Runs one statement on a connection of its own. */
export async function query(
  to: pg.ClientConfig,
  text: string,
  values: readonly string[] = [],
): Promise<pg.QueryResult> {
  const client = new pg.Client(to);
  // Without a listener an error after the answer would end this process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await client.query(text, [...values]);
  } finally {
    await client.end().catch(() => undefined);
  }
}
