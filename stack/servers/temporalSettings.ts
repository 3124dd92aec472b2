import type { Config } from "../../src/config.ts";
import type { PortChooser } from "../ports.ts";
import { temporalLogLevel } from "./patientSchedules.ts";
import { temporalDatabases } from "./temporalDatabases.ts";

/**
 * The roles of a Temporal server; each may be its own process. The first one starts before the others: each role writes a changed
 * address of the cluster to the database at its start, and ends if another does so at the same time. History needs no other role
 * to start.
 */
export const temporalRoles = ["history", "frontend", "matching", "worker"] as const;
export type TemporalRole = (typeof temporalRoles)[number];

type RolePorts = {
  readonly grpc: number;
  /** Where the roles find each other. */
  readonly membership: number;
  readonly metrics: number;
};

export type TemporalServerPorts = {
  /** Clients call the gRPC port of the frontend. */
  readonly roles: Readonly<Record<TemporalRole, RolePorts>>;
  /** The frontend's HTTP API. */
  readonly http: number;
  readonly ui: number;
};

/** Ports for all roles; those that others already know are given. */
export async function chooseServerPorts(
  ports: PortChooser,
  known: { readonly grpc: number; readonly http: number; readonly ui: number },
): Promise<TemporalServerPorts> {
  const role = async (grpc?: number) => ({
    grpc: grpc ?? (await ports.choose()),
    membership: await ports.choose(),
    metrics: await ports.choose(),
  });
  return {
    roles: { frontend: await role(known.grpc), history: await role(), matching: await role(), worker: await role() },
    http: known.http,
    ui: known.ui,
  };
}

/** PostgreSQL connections that each role of each process may have to each database. */
const connections = { workflows: 10, visibility: 5 } as const;

/** The settings file of one process of the server, which serves its metrics on its own port. */
export function temporalServerSettings(
  config: Config,
  postgresUrl: string,
  ports: TemporalServerPorts,
  { metricsPort, dynamicSettings }: { readonly metricsPort: number; readonly dynamicSettings: string },
): object {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const database = (kind: keyof typeof temporalDatabases) => ({
    sql: {
      // The plugin uses pgx; its name is the oldest version of PostgreSQL that it supports.
      pluginName: "postgres12",
      databaseName: temporalDatabases[kind],
      connectAddr: `${hostname}:${port}`,
      connectProtocol: "tcp",
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      maxConns: connections[kind],
      maxIdleConns: connections[kind],
      maxConnLifetime: "1h",
    },
  });
  const service = (role: TemporalRole) => {
    const { grpc, membership } = ports.roles[role];
    const http = role === "frontend" ? { httpPort: ports.http } : {};
    return { rpc: { grpcPort: grpc, membershipPort: membership, bindOnLocalHost: true, ...http } };
  };
  const frontendAddress = `127.0.0.1:${ports.roles.frontend.grpc}`;
  return {
    log: { stdout: true, level: temporalLogLevel },
    persistence: {
      defaultStore: "workflows",
      visibilityStore: "visibility",
      numHistoryShards: config.stack.temporalHistoryShards,
      datastores: { workflows: database("workflows"), visibility: database("visibility") },
    },
    global: {
      membership: { maxJoinDuration: "30s", broadcastAddress: "127.0.0.1" },
      metrics: { prometheus: { timerType: "histogram", listenAddress: `127.0.0.1:${metricsPort}` } },
    },
    services: Object.fromEntries(temporalRoles.map((role) => [role, service(role)])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: "active",
      currentClusterName: "active",
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: "frontend",
          rpcAddress: frontendAddress,
          httpAddress: `127.0.0.1:${ports.http}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: "noop" },
    dynamicConfigClient: { filepath: dynamicSettings, pollInterval: "60s" },
  };
}

/** The settings file of the Web UI. */
export function temporalUiSettings(config: Config, ports: TemporalServerPorts, address: string): object {
  return {
    temporalGrpcAddress: `127.0.0.1:${ports.roles.frontend.grpc}`,
    host: address,
    port: ports.ui,
    enableUi: true,
    defaultNamespace: config.temporal.namespace,
    // A browser would not send a secure cookie back over plain HTTP.
    cors: { cookieInsecure: true },
    // Otherwise browsers would ask Temporal's website.
    disableNewsFetch: true,
    hideLogs: true,
  };
}
