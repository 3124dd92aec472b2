import { createServer } from "node:net";

/** Below the range from which the kernel takes ports for outgoing connections, so that none slips in before a server. */
const firstPort = 20_000;
const lastPort = 31_999;

/** Whether a server could listen on this port now. */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Gives out free ports of 127.0.0.1, each at most once. */
export class PortChooser {
  readonly #given = new Set<number>();
  readonly #preferUsual: boolean;

  /** @param preferUsual whether `choose` heeds the usual port it is told */
  constructor(preferUsual: boolean) {
    this.#preferUsual = preferUsual;
  }

  /** The usual port when it is free, else any free one. */
  async choose(usual?: number): Promise<number> {
    if (usual && this.#preferUsual && (await this.#take(usual))) return usual;
    for (;;) {
      const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort + 1));
      if (await this.#take(port)) return port;
    }
  }

  /** Claims the port before it looks, since others may choose meanwhile. */
  async #take(port: number): Promise<boolean> {
    if (this.#given.has(port)) return false;
    this.#given.add(port);
    return await isPortFree(port);
  }
}
