import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A proxy in front of a server that can be shut (connections refused), hang (connections break, new ones get no answer), freeze (no answer on any, as
 * from a stopped process; `thaw` goes on) and be opened again.
 */
export type Gate = {
  readonly port: number;
  open(): Promise<void>;
  shut(): Promise<void>;
  hang(): Promise<void>;
  freeze(): void;
  thaw(): void;
};

export async function createGate(targetPort: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  /** What goes on at `thaw`. */
  let frozen: (() => void)[] | undefined;
  let server: Server | undefined;
  let port = 0;

  const listen = async (onSocket: (socket: Socket) => void) => {
    server = createServer((socket) => {
      keep(socket);
      onSocket(socket);
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address === "object" && address !== null) port = address.port;
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const forward = (socket: Socket) => {
    if (frozen !== undefined) {
      frozen.push(() => forward(socket));
      return;
    }
    const target = connect(targetPort, "127.0.0.1");
    keep(target);
    socket.pipe(target).pipe(socket);
  };
  const shut = async () => {
    for (const socket of sockets) socket.destroy();
    if (server === undefined) return;
    const closed = once(server, "close");
    server.close();
    server = undefined;
    await closed;
  };

  await listen(forward);
  return {
    get port() {
      return port;
    },
    shut,
    open: async () => {
      await shut();
      await listen(forward);
    },
    freeze: () => {
      frozen = [...sockets].map((socket) => {
        socket.pause();
        return () => socket.resume();
      });
    },
    thaw: () => {
      const goOn = frozen ?? [];
      frozen = undefined;
      for (const go of goOn) go();
    },
    hang: async () => {
      await shut();
      await listen(() => undefined);
    },
  };
}
