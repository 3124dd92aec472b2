import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Config } from "../../src/config.ts";
import { exitCodes } from "../../src/errors/startFailure.ts";
import { StackError } from "../error.ts";
import type { ServerSpec } from "../supervisor.ts";
import { runTool } from "../tool.ts";

/** The ports of one broker, which is also a controller. */
export type KafkaPorts = { readonly broker: number; readonly controller: number };

/** What one broker has in addition: lines of its settings, and arguments of the command that formats its directory. */
export type KafkaOptions = { readonly settings: readonly string[]; readonly format: readonly string[] };

/** A program and its jars. */
export type KafkaInstallation = { readonly java: string; readonly jars: string };

/**
 * Broker number `index` of a cluster on 127.0.0.1 with its data in DATA_DIR/kafka/<number>, which is formatted if it is empty: a
 * broker whose disk was lost gets its rows back from the others.
 */
export async function kafkaServer(
  config: Config,
  { java, jars }: KafkaInstallation,
  cluster: readonly KafkaPorts[],
  index: number,
  signal: AbortSignal,
  more: KafkaOptions = { settings: [], format: [] },
): Promise<ServerSpec> {
  const number = index + 1;
  const ports = cluster[index];
  if (ports === undefined) throw new RangeError(`The cluster has no broker ${number}`);
  const home = kafkaHome(config, index);
  const settingsFile = join(home, "server.properties");
  const label = `Kafka broker ${number}`;
  await mkdir(home, { recursive: true, mode: 0o700 });
  const settings = [...settingsOf(cluster, number, ports, join(home, "data")), ...more.settings];
  await writeFile(settingsFile, `${settings.join("\n")}\n`);
  const classPath = ["-cp", join(jars, "*")];
  const env = { ...config.stack.nativeMemory, ...config.stack.environment };
  if (!existsSync(join(home, "data", "meta.properties"))) {
    const tool = [...classPath, "kafka.tools.StorageTool", "format"];
    const format = [...tool, "-t", clusterId, "-c", settingsFile, ...more.format];
    const { code, output } = await runTool(java, format, { env, cwd: home, signal });
    if (code !== 0) throw new StackError(`${label} could not prepare its directory:\n${output}`, exitCodes.failed);
  }
  return {
    label,
    command: java,
    args: [...memory, ...network, ...logging, ...classPath, "kafka.Kafka", settingsFile],
    env,
    cwd: home,
    logFile: join(config.stack.dataDir, "logs", `kafka-${number}.log`),
    stopSignal: "SIGTERM",
    stopTimeoutMs: 20_000,
    readyTimeoutMs: config.stack.readyTimeoutMs,
    ports: Object.values(ports),
    ready: () => accepts(ports.broker),
  };
}

export function kafkaHome(config: Config, index: number): string {
  return join(config.stack.dataDir, "kafka", String(index + 1));
}

const memory = ["-Xmx384m", "-Xms64m", "-XX:+UseSerialGC", "-XX:-UsePerfData"];
/** Otherwise Java listens on an IPv6 address that stands for 127.0.0.1. */
const network = ["-Djava.net.preferIPv4Stack=true"];
const logging = ["-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Dorg.slf4j.simpleLogger.showDateTime=true"];

/** Any 16 bytes: no other cluster uses these ports of this machine. */
const clusterId = "TG9va291dC1vbi1LYWZrYQ";

function settingsOf(cluster: readonly KafkaPorts[], number: number, ports: KafkaPorts, data: string): string[] {
  const voters = cluster.map(({ controller }, index) => `${index + 1}@127.0.0.1:${controller}`).join(",");
  const copies = Math.min(3, cluster.length);
  const inSync = Math.min(2, cluster.length);
  return [
    "process.roles=broker,controller",
    `node.id=${number}`,
    `controller.quorum.voters=${voters}`,
    `listeners=PLAINTEXT://127.0.0.1:${ports.broker},CONTROLLER://127.0.0.1:${ports.controller}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${ports.broker}`,
    "controller.listener.names=CONTROLLER",
    "inter.broker.listener.name=PLAINTEXT",
    "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    `log.dirs=${data}`,
    "num.network.threads=2",
    "num.io.threads=2",
    "auto.create.topics.enable=false",
    `default.replication.factor=${copies}`,
    `min.insync.replicas=${inSync}`,
    `offsets.topic.replication.factor=${copies}`,
    "offsets.topic.num.partitions=3",
    `transaction.state.log.replication.factor=${copies}`,
    `transaction.state.log.min.isr=${inSync}`,
    "transaction.state.log.num.partitions=3",
    `share.coordinator.state.topic.replication.factor=${copies}`,
    `share.coordinator.state.topic.min.isr=${inSync}`,
    // How long writes to the partitions of a killed broker wait until another broker leads them.
    "broker.session.timeout.ms=6000",
    // How often brokers look for rows older than LOG_RETENTION_MS.
    "log.retention.check.interval.ms=30000",
  ];
}

function accepts(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 1_000 });
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
    socket.once("timeout", () => socket.destroy(new Error("no answer in time")));
    socket.once("error", reject);
  });
}
