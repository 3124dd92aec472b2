import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type Env, readConfig } from "../../../src/config.ts";
import { PortChooser } from "../../../stack/ports.ts";
import { findJava } from "../../../stack/provision/java.ts";
import { planKafka } from "../../../stack/provision/kafka.ts";
import { kafkaServer } from "../../../stack/servers/kafka.ts";
import { supervise } from "../../../stack/supervisor.ts";

export type SecureBroker = {
  /** KAFKA_BROKERS and what TLS and signing in need. */
  readonly env: Env & Readonly<Record<string, string>>;
  stop(): Promise<void>;
};

const user = "lookout";
const password = "correct-horse-battery";

/** One broker that takes only connections with TLS, a certificate of the client, and a password. */
export async function startSecureBroker(): Promise<SecureBroker> {
  const directory = await mkdtemp(join(tmpdir(), "lookout-secure-"));
  const config = readConfig({ ...process.env, DATA_DIR: directory, CACHE_DIR: inject("lookout").cacheDir });
  const { signal } = new AbortController();
  const provisioning = { config, log: (line: string) => console.log(`[broker] ${line}`), signal };
  const [java, jars] = [await findJava(config, signal), await planKafka(provisioning)()];
  const chooser = new PortChooser(false);
  const ports = { broker: await chooser.choose(), controller: await chooser.choose() };
  const secure = await chooser.choose();
  const broker = certificateIn(directory, "broker", "localhost");
  const client = certificateIn(directory, "client", "lookout");
  const scram = ["SCRAM-SHA-256", "SCRAM-SHA-512"];
  const login = "org.apache.kafka.common.security";
  const settings = [
    `listeners=PLAINTEXT://127.0.0.1:${ports.broker},CONTROLLER://127.0.0.1:${ports.controller},SECURE://127.0.0.1:${secure}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${ports.broker},SECURE://localhost:${secure}`,
    "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL",
    "ssl.keystore.type=PEM",
    `ssl.keystore.location=${broker.both}`,
    "ssl.truststore.type=PEM",
    `ssl.truststore.location=${client.certificate}`,
    "listener.name.secure.ssl.client.auth=required",
    `sasl.enabled.mechanisms=PLAIN,${scram.join(",")}`,
    `listener.name.secure.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_${user}="${password}";`,
    ...scram.map(
      (name) => `listener.name.secure.${name.toLowerCase()}.sasl.jaas.config=${login}.scram.ScramLoginModule required;`,
    ),
  ];
  const format = scram.flatMap((name) => ["--add-scram", `${name}=[name=${user},password=${password}]`]);
  const spec = await kafkaServer(config, { java, jars }, [ports], 0, signal, { settings, format });
  const running = await supervise(spec, provisioning.log, signal);
  return {
    env: {
      KAFKA_BROKERS: `localhost:${secure}`,
      KAFKA_TLS: "on",
      KAFKA_TLS_CA: broker.certificate,
      KAFKA_TLS_CERT: client.certificate,
      KAFKA_TLS_KEY: client.key,
      KAFKA_SASL_USERNAME: user,
      KAFKA_SASL_PASSWORD: password,
      LOG_REPLICAS: "1",
    },
    stop: async () => {
      await running.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A certificate signed by itself, so that it is its own authority. `both` has its key too. */
function certificateIn(directory: string, name: string, subject: string) {
  const [key, certificate, both] = ["key", "crt", "pem"].map((end) => join(directory, `${name}.${end}`)) as [
    string,
    string,
    string,
  ];
  const about = ["-subj", `/CN=${subject}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-days", "1"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, ...about],
    { stdio: "ignore" },
  );
  writeFileSync(both, readFileSync(key, "utf8") + readFileSync(certificate, "utf8"));
  return { key, certificate, both };
}
