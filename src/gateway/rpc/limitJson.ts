import { Code, ConnectError } from "@connectrpc/connect";
import type { Compression } from "@connectrpc/connect/protocol";
import { drainBytes } from "../http/closeInStages.ts";
import { hasTooManyNodes, JsonNodes, tooManyNodes } from "../json/jsonNodes.ts";

/**
 * Holds JSON over Connect, gRPC and gRPC-Web to the limit of the JSON paths. Connect parses it before a handler runs, so before the caller
 * is known.
 */
export function limitJson(body: AsyncIterable<Uint8Array>, contentType: string): AsyncIterable<Uint8Array> {
  if (/^application\/json\b/i.test(contentType)) return limitText(body);
  return /^application\/(?:connect|grpc|grpc-web)\+json\b/i.test(contentType) ? limitEnvelopes(body) : body;
}

/** The same for JSON that came compressed. */
export function limitDecompressed(compression: Compression): Compression {
  return {
    ...compression,
    decompress: async (bytes, readMaxBytes) => {
      const message = await compression.decompress(bytes, readMaxBytes);
      if (beginsAsJson(message) && hasTooManyNodes(message)) throw refusal();
      return message;
    },
  };
}

/**
 * Refuses once the rest of the body was read: over HTTP/1 the client's next request on the connection comes after it, and would wait for
 * ever.
 */
async function* limitText(body: AsyncIterable<Uint8Array>) {
  const nodes = new JsonNodes();
  let isTooMany = false;
  let leftBytes = drainBytes;
  for await (const piece of body) {
    isTooMany ||= nodes.isTooMany(piece);
    if (!isTooMany) yield piece;
    else {
      leftBytes -= piece.length;
      if (leftBytes < 0) break;
    }
  }
  if (isTooMany) throw refusal();
}

/** A message of a stream comes after a byte of flags and its length in four bytes (Connect protocol, enveloped message; gRPC over HTTP/2). */
const prefixBytes = 5;

async function* limitEnvelopes(body: AsyncIterable<Uint8Array>) {
  let nodes = new JsonNodes();
  let prefix: number[] = [];
  let leftBytes = 0;
  for await (const piece of body) {
    for (let at = 0; at < piece.length; ) {
      if (leftBytes === 0) {
        prefix.push(piece[at] ?? 0);
        at += 1;
        if (prefix.length < prefixBytes) continue;
        leftBytes = Buffer.from(prefix).readUInt32BE(1);
        prefix = [];
        nodes = new JsonNodes();
      } else {
        const part = piece.subarray(at, at + leftBytes);
        if (nodes.isTooMany(part)) throw refusal();
        at += part.length;
        leftBytes -= part.length;
      }
    }
    yield piece;
  }
}

/** No binary message begins with `{` or `[`: those would be groups, which proto3 does not have. */
function beginsAsJson(message: Uint8Array): boolean {
  const first = message.find((byte) => byte > 0x20);
  return first === 0x7b || first === 0x5b;
}

function refusal(): ConnectError {
  return new ConnectError(`The message ${tooManyNodes}`, Code.InvalidArgument);
}
