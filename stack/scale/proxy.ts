import { connect, createServer } from "node:net";

export type LocalProxy = { close(): Promise<void> };

/**
 * Spreads connections over API processes on this machine, and skips those that do not accept one. It stands for the load balancer
 * of an installation. It inspects no connection: HTTP/2, gRPC and streams pass unchanged.
 */
export async function startProxy(port: number, targets: readonly number[]): Promise<LocalProxy> {
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on("error", () => client.destroy());
    const first = turn++;
    const tryTarget = (attempt: number): void => {
      const target = targets[(first + attempt) % targets.length];
      if (attempt === targets.length || target === undefined) return void client.destroy();
      const upstream = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
      const next = () => tryTarget(attempt + 1);
      upstream.once("error", next);
      upstream.once("connect", () => {
        upstream.off("error", next);
        upstream.on("error", () => client.destroy());
        upstream.on("close", () => client.destroy());
        client.on("close", () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      });
    };
    tryTarget(0);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, resolve);
  });
  return {
    // Open connections end when the APIs end.
    close: async () => void server.close(),
  };
}
