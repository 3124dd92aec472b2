import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config.ts";

/** Settings of the local stack alone, which a container does not run; and QuestDB's files, which lie in another container. */
const notForContainers = [
  "CACHE_DIR",
  "JAVA_HOME",
  "PATH",
  "QUESTDB_JAR",
  "QUESTDB_ROOT",
  "STACK_READY_TIMEOUT_MS",
  "TEMPORAL",
  "TEMPORAL_HISTORY_SHARDS",
  "XDG_CACHE_HOME",
];

/** Fixed by the container: where it keeps its files and listens. */
const fixed = ["DATA_DIR", "HOST"];

const compose = readFileSync(new URL("../../compose.yaml", import.meta.url), "utf8");
const passed = new Map(
  [...compose.matchAll(/^ {4,6}([A-Z][A-Z0-9_]*): (.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
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

test("npm run api and npm run worker, the containers and npm start give a process the same flags and memory areas", () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const { apiNodeFlags, workerNodeFlags, nativeMemory } = readConfig({}).stack;
  const areas = `MALLOC_ARENA_MAX=${nativeMemory.MALLOC_ARENA_MAX}`;
  for (const { name, script, flags } of [
    { name: "api", script: "src/api.ts", flags: apiNodeFlags },
    { name: "worker", script: "workflows/worker.ts", flags: workerNodeFlags },
  ]) {
    expect(JSON.parse(read("package.json"))).toMatchObject({
      scripts: { [name]: [areas, "node", ...flags, script].join(" ") },
    });
    expect(parse(compose, { merge: true })).toMatchObject({
      services: { [name]: { command: ["node", ...flags, script] } },
    });
  }
  expect(read("Dockerfile")).toContain(
    `CMD ${JSON.stringify(["node", ...apiNodeFlags, "src/api.ts"]).replaceAll(",", ", ")}`,
  );
  expect(passed.get("MALLOC_ARENA_MAX")).toBe(nativeMemory.MALLOC_ARENA_MAX);
});
