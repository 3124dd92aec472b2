import { connect } from "node:net";
import type { PoolClient } from "pg";

/** Where to cancel a connection's statements, and the numbers that identify it. */
type Backend = { readonly host: string; readonly port: number; readonly processID: number; readonly secretKey: number };

/** CancelRequest of the PostgreSQL wire protocol (section 55.7): its length, its code, process id and secret key. */
const cancelLength = 16;
const cancelCode = 80_877_102;
const cancelTimeoutMs = 2_000;

/**
 * Asks QuestDB to stop the connection's statement; QuestDB 9.3.4 accepts its own statement_timeout but ignores it.
 * Resolves when the request was sent or could not be delivered: either way the statement's own result shows the
 * outcome.
 */
export function cancelStatement(client: PoolClient): Promise<void> {
  // The driver knows these numbers of each connection, but its type declarations omit them.
  const { host, port, processID, secretKey } = client as unknown as Backend;
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      const request = Buffer.alloc(cancelLength);
      request.writeInt32BE(cancelLength, 0);
      request.writeInt32BE(cancelCode, 4);
      request.writeInt32BE(processID, 8);
      request.writeInt32BE(secretKey, 12);
      socket.write(request);
    });
    socket.setTimeout(cancelTimeoutMs, () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
  });
}
