import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "../../gen/grpc/health/v1/health_pb.ts";
import type { Health as ServiceHealth } from "../../health/health.ts";

/**
 * gRPC health checking (grpc/grpc, doc/health-checking.md). The empty name stands for the whole server. It serves unless /readyz answers
 * 503.
 */
export class HealthService {
  readonly #names: ReadonlySet<string>;
  readonly #health: Pick<ServiceHealth, "status">;
  readonly #watchers = new Set<() => void>();
  #isStopping = false;

  constructor(serviceNames: readonly string[], health: Pick<ServiceHealth, "status" | "onChange">) {
    this.#names = new Set(["", ...serviceNames]);
    this.#health = health;
    health.onChange(() => this.#wake());
  }

  /** From now on clients are answered NOT_SERVING, and watches end so that they do not delay the stop. */
  stop(): void {
    this.#isStopping = true;
    this.#wake();
  }

  addTo(router: ConnectRouter): void {
    router.service(Health, {
      check: ({ service }) => {
        if (!this.#names.has(service)) throw new ConnectError("unknown service", Code.NotFound);
        return { status: this.#status() };
      },
      watch: ({ service }, context) => this.#watch(service, context.signal),
    });
  }

  #status(): ServingStatus {
    const serves = !this.#isStopping && this.#health.status !== "unavailable";
    return serves ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  #wake(): void {
    for (const wake of this.#watchers) wake();
  }

  /** The present status and then each other one, until the client ends the call or the service stops. */
  async *#watch(service: string, signal: AbortSignal) {
    const statusNow = () => (this.#names.has(service) ? this.#status() : ServingStatus.SERVICE_UNKNOWN);
    let changed = Promise.withResolvers<void>();
    const wake = () => changed.resolve();
    this.#watchers.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    try {
      for (let sent: ServingStatus | undefined; !signal.aborted; ) {
        const status = statusNow();
        if (status !== sent) yield { status };
        sent = status;
        // The service may have stopped while the status was being sent.
        if (this.#isStopping && status === statusNow()) return;
        await changed.promise;
        changed = Promise.withResolvers<void>();
      }
    } finally {
      this.#watchers.delete(wake);
    }
  }
}
