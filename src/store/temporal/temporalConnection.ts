import { Client, Connection, type OperatorService, type WorkflowService } from "@temporalio/client";
import type { Config } from "../../config.ts";
import { tracedRuns } from "./tracedRuns.ts";

/** How long a readiness check waits for Temporal. */
const checkTimeoutMs = 2_000;
/** The longest wait until Temporal is tried again. */
const maxReconnectMs = 5_000;

/** How gRPC connects. It would ask the proxy of http_proxy, also for a server of this computer. */
const directChannel = { "grpc.enable_http_proxy": 0 };

/**
 * The API process's connection to Temporal. It connects at the first call, so the API starts and serves analytics while
 * Temporal is unavailable, and it reconnects by itself.
 */
export class TemporalConnection {
  readonly client: Client;
  readonly #connection: Connection;
  // Without the client's retries, which outlast a deadline: a health check needs the first answer.
  readonly #checked: Connection;
  readonly #namespace: string;

  constructor(settings: Config["temporal"]) {
    // By default gRPC waits for up to two minutes until it tries a server again that was away for long.
    const channelArgs = { ...directChannel, "grpc.max_reconnect_backoff_ms": maxReconnectMs };
    const options = { address: settings.address, channelArgs };
    this.#connection = Connection.lazy(options);
    this.#checked = Connection.lazy({ ...options, interceptors: [] });
    this.#namespace = settings.namespace;
    this.client = new Client({
      connection: this.#connection,
      namespace: settings.namespace,
      interceptors: { workflow: tracedRuns() },
    });
  }

  get workflowService(): WorkflowService {
    return this.#connection.workflowService;
  }

  get operatorService(): OperatorService {
    return this.#connection.operatorService;
  }

  /** One cheap call that resolves when Temporal serves our namespace; rejects after 2 s at the latest. */
  async checkTemporal(): Promise<void> {
    await this.#checked.withDeadline(Date.now() + checkTimeoutMs, () =>
      this.#checked.workflowService.describeNamespace({ namespace: this.#namespace }),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(), this.#checked.close()]);
  }
}
