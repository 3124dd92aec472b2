import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";

/** Below the range of ports that the kernel gives to outgoing connections, so that none takes a port before its server does. */
const firstPort = 20_000;
const lastPort = 31_999;

/** Whether a server could listen on this port now. */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return (await obstacleAt(port, host)) === undefined;
}

/** The code of the system error that prevents a server from listening on this port now. */
export function obstacleAt(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** A port for a server that starts later. Until `release` it is taken for other processes, and connections are refused. */
export type HeldPort = {
  readonly port: number;
  release(): Promise<void>;
};

/** Gives out free ports of 127.0.0.1, each at most once. */
export class PortChooser {
  readonly #given = new Set<number>();
  readonly #preferUsual: boolean;

  /** `preferUsual`: whether `choose` tries the usual port that it is given. */
  constructor(preferUsual: boolean) {
    this.#preferUsual = preferUsual;
  }

  /** The usual port when it is free, else any free one. */
  async choose(usual?: number): Promise<number> {
    const { port, release } = await this.hold(usual);
    await release();
    return port;
  }

  /** Like `choose`, for a server that starts later but whose port must be known now. */
  async hold(usual?: number): Promise<HeldPort> {
    const atUsual = usual && this.#preferUsual ? await this.#take(usual) : undefined;
    if (atUsual) return atUsual;
    for (;;) {
      const held = await this.#take(firstPort + Math.floor(Math.random() * (lastPort - firstPort + 1)));
      if (held) return held;
    }
  }

  /** Claims the port before checking it, since others may choose meanwhile. */
  async #take(port: number): Promise<HeldPort | undefined> {
    if (this.#given.has(port)) return undefined;
    this.#given.add(port);
    return await listenOn(port);
  }
}

/** Undefined if the port is taken. */
function listenOn(port: number): Promise<HeldPort | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.resetAndDestroy());
    server.once("error", () => resolve(undefined));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      // A held port must not keep this process running.
      server.unref();
      resolve({ port, release: () => new Promise((released) => server.close(() => released())) });
    });
  });
}

/**
 * Whether the process with this id itself listens on a port of 127.0.0.1, from proc_pid_net(5) and proc_pid_fd(5). Another
 * process that took the port first might answer there as well.
 */
export function listensOn(processId: number, port: number): boolean {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const listening = "0A";
  const inodes = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1] === address && fields[3] === listening)
    .map((fields) => `socket:[${fields[9]}]`);
  if (inodes.length === 0) return false;
  const directory = `/proc/${processId}/fd`;
  return readdirSync(directory).some((name) => {
    try {
      return inodes.includes(readlinkSync(`${directory}/${name}`));
    } catch {
      // Closed since it was listed.
      return false;
    }
  });
}
