import { subscribe } from "node:diagnostics_channel";
import type { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { AdminOptions, SASLMechanismValue } from "@platformatic/kafka";
import type { Config } from "../../config.ts";
import { StartFailure } from "../../errors/startFailure.ts";

export type KafkaSettings = Config["kafka"];

// If a connection is lost while signing in, the client emits the error twice. Nothing listens the second time, which would end
// this process.
subscribe("plt:kafka:instances", (message) => {
  const { type, instance } = message as { readonly type: string; readonly instance: EventEmitter };
  if (type === "connection") instance.on("error", () => undefined);
});

/** The options of all clients of the brokers. Throws a StartFailure when a file cannot be read. */
export function clientOptions(settings: KafkaSettings, clientId: string): AdminOptions {
  const { brokers, tls, sasl } = settings;
  return {
    clientId: `lookout-${clientId}`,
    bootstrapBrokers: [...brokers],
    connectTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // Maximum age of cached partition leaders: brokers come and go.
    metadataMaxAge: metadataMaxAgeMs,
    ...(tls.isOn
      ? {
          tls: {
            ca: readOptional("KAFKA_TLS_CA", tls.caFile),
            cert: readOptional("KAFKA_TLS_CERT", tls.certificateFile),
            key: readOptional("KAFKA_TLS_KEY", tls.keyFile),
          },
          // For certificates of several names. An address is not a name (RFC 6066); it is still compared with the certificate.
          tlsServerName: brokers.some((broker) => !isIP(hostOf(broker))),
        }
      : {}),
    ...(sasl === undefined
      ? {}
      : {
          sasl: {
            mechanism: sasl.mechanism satisfies SASLMechanismValue,
            username: sasl.username,
            password: sasl.password,
          },
        }),
  };
}

function hostOf(broker: string): string {
  return broker.slice(0, broker.lastIndexOf(":")).replace(/^\[|\]$/g, "");
}

function readOptional(setting: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`${setting} names a file that cannot be read: ${reason}`);
  }
}

/** A reachable broker answers within milliseconds. A dead one must be noticed while another can still take its place. */
const connectTimeoutMs = 2_000;
/** Longer than a broker may hold a read that finds no rows. */
const requestTimeoutMs = 5_000;
const metadataMaxAgeMs = 60_000;

/** The topic with the rows of a shard. */
export function topicOf({ topicPrefix }: Pick<KafkaSettings, "topicPrefix">, shard: string): string {
  return `${topicPrefix}.rows.${shard}`;
}

/** The message of a client's error, with those of its causes. They name brokers and codes, never rows. */
export function reasonOf(error: unknown, depth = maxDepth): string {
  if (!(error instanceof Error)) return String(error);
  const last = error instanceof AggregateError ? error.errors.at(-1) : error.cause;
  const text = error.message.trim();
  return last instanceof Error && last !== error && depth > 1 ? `${text} (${reasonOf(last, depth - 1)})` : text;
}

/** Some errors of the client are among their own causes. */
const maxDepth = 6;
