import { Client, Connection } from "@temporalio/client";
import type { Config } from "../config.ts";

type TemporalSettings = Config["temporal"];

/** How long a readiness check waits for Temporal. */
const checkTimeoutMs = 2_000;

/** What every connection to Temporal is made with, the API's and the worker's. */
export function temporalConnectOptions(settings: TemporalSettings): { address: string } {
  return { address: settings.address };
}

/**
 * The API process's way to Temporal. It connects at the first call, so the API starts and serves analytics while Temporal is
 * away, and it reconnects by itself.
 */
export class TemporalConnection {
  readonly client: Client;
  readonly #connection: Connection;
  readonly #namespace: string;

  constructor(settings: TemporalSettings) {
    this.#connection = Connection.lazy(temporalConnectOptions(settings));
    this.#namespace = settings.namespace;
    this.client = new Client({ connection: this.#connection, namespace: settings.namespace });
  }

  /** One cheap call that resolves when Temporal serves our namespace; rejects within 2 s otherwise. */
  async checkTemporal(): Promise<void> {
    await this.#connection.withDeadline(Date.now() + checkTimeoutMs, () =>
      this.#connection.workflowService.describeNamespace({ namespace: this.#namespace }),
    );
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}
