import { connect, createServer, type Server } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { WatchResponseSchema } from "../../src/gen/lookout/v1/query_pb.ts";

/** How long a connection may be quiet. Signs of life come every second. */
const idleMs = 3_000;

/** A server that forwards connections to a port, and ends one on which nothing was sent for a while, as load balancers do. */
export function idleProxy(port: number): Server {
  return createServer((client) => {
    const service = connect(port, "127.0.0.1");
    client.setTimeout(idleMs, () => client.destroy());
    client.pipe(service).pipe(client);
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
}

/** The messages of a watch that answers twice, and sends signs of life in between for longer than the proxy allows a quiet connection. */
export async function* quietWatch(
  signEveryMs: number,
  signal: AbortSignal,
): AsyncGenerator<MessageInitShape<typeof WatchResponseSchema>> {
  yield { answer: {} };
  for (let waitedMs = 0; waitedMs <= idleMs; waitedMs += signEveryMs) {
    await setTimeout(signEveryMs, undefined, { signal });
    yield {};
  }
  yield { answer: {} };
}
