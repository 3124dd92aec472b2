import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { parseEnv, promisify } from "node:util";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { execRequest } from "../../src/store/questdb/execRequest.ts";
import { segmentSettings } from "../../stack/servers/questdb.ts";
import { type ComposeService, resolveCompose } from "../kit/stack/composeFile.ts";

const exampleFile = new URL("../../.env.example", import.meta.url);

/** Services that do their work at a start and end. */
const oneShots = ["temporal-schema", "temporal-namespace"];

async function services(settings: Parameters<typeof resolveCompose>[0] = {}): Promise<[string, ComposeService][]> {
  return Object.entries((await resolveCompose(settings)).services);
}

const run = async ([program = "", ...args]: readonly string[], env: Readonly<Record<string, string>>) =>
  await promisify(execFile)(program, args, { env: { ...process.env, ...env } }).then(
    () => 0,
    ({ code }) => code as number,
  );

test("6: each service has limits, rotated logs, an exact image, and a health check unless it ends by itself", async () => {
  const all = await services();
  expect(all.map(([name]) => name)).toEqual(expect.arrayContaining(["api", "grafana", "temporal-ui", ...oneShots]));
  for (const [name, { image, build, logging, deploy, healthcheck, restart }] of all) {
    expect(deploy.resources.limits, name).toEqual({
      memory: expect.stringMatching(/^\d+[mg]$/),
      cpus: expect.stringMatching(/^\d+$/),
      pids: expect.toSatisfy((pids) => Number(pids) >= 100),
    });
    expect(logging.driver, name).toBe("local");
    if (build === undefined) expect(image, name).toMatch(/^[\w./-]+:v?\d+\.\d+(\.\d+)?$/);
    expect([name, restart, healthcheck !== undefined]).toEqual(
      oneShots.includes(name) ? [name, "on-failure", false] : [name, "unless-stopped", true],
    );
  }
});

test("6: without settings no port is reached from other machines", async () => {
  const ports = (await services()).flatMap(([name, service]) => (service.ports ?? []).map((port) => ({ name, port })));
  expect(ports.length).toBeGreaterThan(6);
  expect(ports.filter(({ port }) => port.host_ip !== "127.0.0.1")).toEqual([]);
});

test("6: limits, addresses and passwords are taken from .env", async () => {
  const set = await services({
    API_MEMORY: "3g",
    API_CPUS: "4",
    API_PIDS: "999",
    API_PUBLISH: "0.0.0.0",
    PORT: "9999",
    POSTGRES_PASSWORD: "p1",
    QUESTDB_PASSWORD: "q1",
    BACKUP_DIRECTORY: "/srv/backups",
    BACKUP_TO: "/backups",
  });
  const of = (wanted: string) => set.find(([name]) => name === wanted)?.[1];
  expect(of("api")).toMatchObject({
    deploy: { resources: { limits: { memory: "3g", cpus: "4", pids: "999" } } },
    ports: [{ host_ip: "0.0.0.0", published: "9999" }],
    environment: { BASE_URL: "http://127.0.0.1:9999", DATABASE_URL: "postgres://lookout:p1@postgres:5432/lookout" },
  });
  expect(of("questdb")).toMatchObject({ environment: { QDB_PG_PASSWORD: "q1", QDB_HTTP_PASSWORD: "q1" } });
  expect(of("temporal")).toMatchObject({ environment: { POSTGRES_PWD: "p1" } });
  expect(of("worker")).toMatchObject({
    environment: { BACKUP_TO: "/backups" },
    volumes: expect.arrayContaining([expect.objectContaining({ source: "/srv/backups", target: "/backups" })]),
  });
});

test("6: .env.example names only variables that compose.yaml reads, and is accepted as it is and with each line in force", async () => {
  const example = await readFile(exampleFile, "utf8");
  const compose = await readFile(new URL("../../compose.yaml", import.meta.url), "utf8");
  const lines = example.split("\n").filter((line) => /^#?[A-Z][A-Z0-9_]*=/.test(line));
  const names = lines.map((line) => line.replace(/^#?([A-Z0-9_]+)=.*/, "$1"));
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !compose.includes(`\${${name}:-`))).toEqual([]);
  const resolvedWith = async (text: string) => await services(parseEnv(text) as Record<string, string>);
  expect(await resolvedWith(example)).toEqual(await services());
  expect(await resolvedWith(lines.map((line) => line.replace(/^#/, "")).join("\n"))).not.toEqual(await services());
});

test("6: the worker reads QuestDB's files where backups and erasures look for them, and cannot write them", async () => {
  const worker = (await resolveCompose()).services["worker"];
  expect(worker?.environment?.["QUESTDB_ROOT"]).toBe("/var/lib/questdb/db");
  expect(worker?.volumes).toContainEqual(
    expect.objectContaining({ source: "questdb", target: "/var/lib/questdb", read_only: true }),
  );
});

test("6: QuestDB knows each of its settings, and has those of npm start", async () => {
  const { url, headers } = execRequest(inject("lookout").questdbHttp, "show parameters");
  const answer = (await (await fetch(url, { headers })).json()) as { dataset: [string, string, string, string][] };
  const known = new Map(answer.dataset.map(([, name, value, source]) => [name, { value, source }]));
  const { environment = {} } = (await resolveCompose()).services["questdb"] ?? {};
  const settings = Object.entries(environment).filter(([name]) => name.startsWith("QDB_"));
  // The level of the log is one of the log's own settings.
  const isLog = (name: string) => name.startsWith("QDB_LOG_W_");
  expect(settings.map(([name]) => name).filter((name) => !known.has(name) && !isLog(name))).toEqual([]);
  // Passwords are chosen, and npm start sets the other two by the machine's limit of mapped files.
  const set = settings.filter(([name]) => !isLog(name) && !/PASSWORD|INACTIVE_READER|PG_WORKER_COUNT/.test(name));
  expect(set.length).toBeGreaterThan(20);
  // The servers of tests have other values of some.
  const ofStart: Readonly<Record<string, string>> = segmentSettings;
  const different = set.filter(([name, value]) => (ofStart[name] ?? known.get(name)?.value) !== String(value));
  expect(different).toEqual([]);
  // Those of npm start that the container lacks: addresses, and the part of the machine's memory, since a container has a limit.
  const missing = [...known].filter(([name, { source }]) => source === "env" && !(name in environment));
  expect(missing.map(([name]) => name).sort()).toEqual(
    ["QDB_HTTP_BIND_TO", "QDB_HTTP_MIN_NET_BIND_TO", "QDB_PG_NET_BIND_TO", "QDB_RAM_USAGE_LIMIT_PERCENT"].sort(),
  );
});

test("6: PostgreSQL knows each of its settings", async () => {
  const { command = [] } = (await resolveCompose()).services["postgres"] ?? {};
  const settings = command.filter((part) => part.includes("=")).map((part) => part.split("=")[0]);
  expect(settings).toEqual(["max_connections"]);
  const client = new pg.Client({ connectionString: inject("lookout").databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT name FROM pg_settings WHERE name = ANY($1)", [settings]);
    expect(rows).toHaveLength(settings.length);
  } finally {
    await client.end();
  }
});

test("6: the health checks of API and worker end with 0 while their process is ready, else with 1", async () => {
  const { baseUrl, workerUrl } = inject("lookout");
  const { api, worker } = (await resolveCompose()).services;
  const commandOf = (service: ComposeService | undefined) => [
    process.execPath,
    ...(service?.healthcheck?.test ?? []).slice(2).map((part) => part.replaceAll("$$", "$")),
  ];
  const [port, workerPort] = [new URL(baseUrl).port, new URL(workerUrl).port];
  expect(await run(commandOf(api), { PORT: port, TLS_KEY: "" })).toBe(0);
  expect(await run(commandOf(api), { PORT: "1", TLS_KEY: "" })).toBe(1);
  expect(await run(commandOf(worker), { WORKER_OPERATIONS_PORT: workerPort })).toBe(0);
  expect(await run(commandOf(worker), { WORKER_OPERATIONS_PORT: "1" })).toBe(1);
});

test("6: the health check of QuestDB ends with 0 while it is well, else not", async () => {
  const { url, headers } = execRequest(
    inject("lookout").questdbHttp,
    "SELECT value FROM (SHOW PARAMETERS) WHERE env_var_name = 'QDB_HTTP_MIN_NET_BIND_TO'",
  );
  const { dataset } = (await (await fetch(url, { headers })).json()) as { dataset: [[string]] };
  const port = dataset[0][0].split(":").at(-1) ?? "";
  const { healthcheck } = (await resolveCompose()).services["questdb"] ?? {};
  const commandAt = (at: string) =>
    (healthcheck?.test ?? []).slice(1).map((part) => part.replaceAll("$$", "$").replace("/9003", `/${at}`));
  expect(await run(commandAt(port), {})).toBe(0);
  expect(await run(commandAt("1"), {})).not.toBe(0);
});
