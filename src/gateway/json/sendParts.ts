import { once } from "node:events";
import type { HttpResponse } from "../http/httpCall.ts";

/** An answer of at most this many characters is sent in one piece, with its length. */
const maxHeldChars = 4_194_304;

/**
 * Sends pieces of text at the client's pace. A short answer is passed to `sendWhole`; for a longer one `begin` writes
 * the headers. Rejects with what the pieces throw, and with the signal's reason when the client disconnects.
 */
export async function sendParts(
  pieces: AsyncIterable<string>,
  response: HttpResponse,
  signal: AbortSignal,
  { begin, sendWhole }: { begin: () => void; sendWhole: (text: string) => void },
): Promise<void> {
  const held: string[] = [];
  let heldChars = 0;
  for await (const piece of pieces) {
    signal.throwIfAborted();
    held.push(piece);
    heldChars += piece.length;
    if (heldChars <= maxHeldChars && !response.headersSent) continue;
    if (!response.headersSent) begin();
    if (!response.write(held.join(""))) await once(response, "drain", { signal });
    held.length = 0;
  }
  if (response.headersSent) response.end(held.join(""));
  else sendWhole(held.join(""));
}
