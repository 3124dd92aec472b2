import { promisify } from "node:util";
import { constants, deflateRaw } from "node:zlib";

/** Deflated by itself; smaller ones compress worse, and each costs the thread that hashes time. */
const blockBytes = 2_097_152;

/** Two cores are faster than texts are read and hashed. */
const atOnce = 2;

/** For texts: higher levels are hardly smaller and much slower. */
export const textLevel = 3;

const deflateBlock = promisify(deflateRaw);

/** A deflated block comes as pieces of this size: most in one, for the same reason. */
const chunkSize = 262_144;

/** A block of RFC 1951 that is empty and says that it is the last one. */
const lastBlock = Buffer.from([3, 0]);

/**
 * Deflates bytes (RFC 1951) on several cores: blocks of them apart, each ended so that the next can follow. With level 0 they are in the format
 * as they are.
 */
export async function* deflate(bytes: AsyncIterable<Uint8Array>, level: number): AsyncGenerator<Uint8Array> {
  const waiting: Promise<Uint8Array>[] = [];
  for await (const block of blocksOf(bytes)) {
    if (waiting.length === atOnce) yield (await waiting.shift()) ?? lastBlock;
    waiting.push(deflateBlock(block, { level, chunkSize, finishFlush: constants.Z_SYNC_FLUSH }));
  }
  for (const block of waiting) yield await block;
  yield lastBlock;
}

async function* blocksOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length < blockBytes) continue;
    yield Buffer.concat(pieces);
    [pieces, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(pieces);
}
