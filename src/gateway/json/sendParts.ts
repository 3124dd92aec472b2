import { once } from "node:events";
import type { Writable } from "node:stream";

/** An answer of at most this many characters is sent in one piece, with its length. */
const maxHeldChars = 4_194_304;

/**
 * Sends pieces of text at the client's pace. A short answer is passed to `sendWhole`; for a longer one `begin` writes
 * the headers and says where the pieces are written to. Rejects with what the pieces throw, and with the signal's
 * reason when the client disconnects.
 */
export async function sendParts(
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
  { begin, sendWhole }: { begin: () => Writable; sendWhole: (text: string) => Promise<void> | undefined },
): Promise<void> {
  const held: string[] = [];
  let heldChars = 0;
  let sink: Writable | undefined;
  for await (const piece of pieces) {
    signal.throwIfAborted();
    held.push(piece);
    heldChars += piece.length;
    if (heldChars <= maxHeldChars && sink === undefined) continue;
    sink ??= begin();
    if (!sink.write(held.join(""))) await once(sink, "drain", { signal });
    held.length = 0;
  }
  if (sink === undefined) await sendWhole(held.join(""));
  else sink.end(held.join(""));
}
