import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "../../gen/grpc/health/v1/health_pb.ts";

/** gRPC health checking (grpc/grpc, doc/health-checking.md). The empty name stands for the whole server. */
export class HealthService {
  readonly #names: ReadonlySet<string>;
  readonly #watchers = new Set<() => void>();
  #serving = true;

  constructor(serviceNames: readonly string[]) {
    this.#names = new Set(["", ...serviceNames]);
  }

  /** From now on clients are answered NOT_SERVING, and watches end so that they do not delay the stop. */
  stop(): void {
    this.#serving = false;
    for (const wake of this.#watchers) wake();
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
    return this.#serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  async *#watch(service: string, signal: AbortSignal) {
    if (!this.#names.has(service)) yield { status: ServingStatus.SERVICE_UNKNOWN };
    else yield { status: this.#status() };
    const changed = Promise.withResolvers<void>();
    this.#watchers.add(changed.resolve);
    signal.addEventListener("abort", () => changed.resolve(), { once: true });
    await changed.promise;
    this.#watchers.delete(changed.resolve);
    if (!signal.aborted && this.#names.has(service)) yield { status: this.#status() };
  }
}
