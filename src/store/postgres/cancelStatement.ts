import { connect } from "node:net";
import type { PoolClient } from "pg";

/** Where a connection's statements are cancelled, and by what numbers. */
type Backend = { readonly host: string; readonly port: number; readonly processID: number; readonly secretKey: number };

/** CancelRequest of the PostgreSQL wire protocol (section 55.7): its length, its code, process id and secret key. */
const cancelLength = 16;
const cancelCode = 80_877_102;
const cancelTimeoutMs = 2_000;

/**
 * Asks QuestDB to stop what the connection runs; its own statement_timeout is accepted and ignored (9.3.4). Resolves when the request
 * was taken or could not be brought there: either way the statement's own end tells what came of it.
 */
export function cancelStatement(client: PoolClient): Promise<void> {
  // The driver knows these numbers of each connection; its type declarations leave them out.
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
