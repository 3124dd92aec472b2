import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config.ts";

type Service = {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
};

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const scale: { services: Record<string, Service>; volumes: Record<string, null> } = parse(read("compose.scale.yaml"), {
  merge: true,
  logLevel: "silent",
});
const services = Object.entries(scale.services);
/** Those that run our code with the log. */
const ours = services.filter(([, { environment }]) => environment?.["KAFKA_BROKERS"] !== undefined);

/** The value that Docker takes when nothing is set. */
function standard(value: string): string {
  const inner = value.replace(/\$\{QUESTDB_PASSWORD:-quest\}/g, "quest");
  return /^\$\{\w+:-(.*)\}$/.exec(inner)?.[1] ?? inner;
}

test("compose.scale.yaml gives APIs, workers and consumers the same valid brokers and shards", () => {
  const consumers = ["consumer-s1-a", "consumer-s1-b", "consumer-s2-a", "consumer-s2-b"];
  expect(ours.map(([name]) => name)).toEqual(["api", "api-2", "worker", "worker-2", ...consumers]);
  for (const [name, { environment }] of ours) expect(environment, name).toEqual(ours[0]?.[1].environment);
  const env = Object.entries(ours[0]?.[1].environment ?? {}).map(([name, value]) => [name, standard(value)]);
  const { kafka, questdb } = readConfig(Object.fromEntries(env));
  expect(kafka.brokers.map((broker) => broker.split(":")[0])).toEqual(["kafka-1", "kafka-2", "kafka-3"]);
  expect(questdb.shards.flatMap(({ replicas }) => replicas.map(({ http }) => new URL(http).hostname))).toEqual([
    "questdb",
    "questdb-b",
    "questdb-s2-a",
    "questdb-s2-b",
  ]);
});

test("compose.scale.yaml has a consumer for each replica", () => {
  const consumers = services.flatMap(([, { command }]) =>
    command?.includes("src/main/consumer.ts") ? [command.slice(2)] : [],
  );
  expect(consumers).toEqual([
    ["--shard", "s1", "--replica", "a"],
    ["--shard", "s1", "--replica", "b"],
    ["--shard", "s2", "--replica", "a"],
    ["--shard", "s2", "--replica", "b"],
  ]);
});

test("compose.scale.yaml publishes the proxy alone, and each process has a volume of its own", () => {
  expect(services.flatMap(([name, { ports = [] }]) => (ports.length > 0 ? [name] : []))).toEqual(["proxy"]);
  expect(scale.services["proxy"]?.ports?.every((port) => port.startsWith("127.0.0.1:"))).toBe(true);
  const volumes = services.flatMap(([, { volumes: of = [] }]) => of.map((volume) => volume.split(":")[0]));
  expect(new Set(volumes).size).toBe(volumes.length);
  expect(Object.keys(scale.volumes).sort()).toEqual(volumes.toSorted());
});
