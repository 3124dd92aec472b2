import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

/**
 * How much of a refused body is read and discarded, so that the client gets to read its answer before the connection closes: more than a client
 * sends that misjudged the limit of a body, and little enough for an attacker's bytes.
 */
export const drainBytes = 8 << 20;

/** How often it is looked whether a client still sends. */
const checkMs = 100;

/**
 * Lets a connection whose answer ends before the body of its request be closed in stages (RFC 9112, section 9.6): first for writing, then, once the body was
 * read and discarded, as a whole. Node closes as a whole at once, and the bytes that arrive after that reset the connection: a client that sends its body before it
 * reads finds no answer, and nginx answers 502. A client that sends more than `drainBytes`, or for longer than `limitMs`, is still reset.
 */
export function closeInStages(request: IncomingMessage, limitMs: number): void {
  const { socket, headers, httpVersionMajor } = request;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
  if (!hasBody || httpVersionMajor !== 1) return;
  let isEnding = false;
  const inStages = (): void => {
    isEnding = true;
    socket.end();
    const mostBytes = socket.bytesRead + drainBytes;
    const latestMs = performance.now() + limitMs;
    const timer = setInterval(() => {
      if (socket.bytesRead > mostBytes || performance.now() > latestMs) socket.destroy();
    }, checkMs);
    socket.once("close", () => clearInterval(timer));
  };
  // Node calls it when an answer was sent after which the connection closes.
  socket.destroySoon = inStages;
  request.once("end", () => {
    // Not that of the next request on the connection.
    if (socket.destroySoon === inStages) socket.destroySoon = Socket.prototype.destroySoon;
    if (isEnding) socket.destroySoon();
  });
}
