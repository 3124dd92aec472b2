import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { validationError } from "../../../errors/errors.ts";
import { imageHead, looksLikeSvg } from "./imageHead.ts";
import type { LogoMade, LogoTask } from "./logoThread.ts";

/** The longer side of what is kept. */
const mostPx = 512;
const mostBytes = 524_288;
/** A small file may claim to be huge, and each pixel takes some 20 bytes while it is read. */
const mostPixels = 6_250_000;
const timeoutMs = 10_000;

/** A picture takes up to 150 MB while it is read. */
const inTurn = pLimit(1);

/**
 * A picture as nothing but pixels: read, scaled to at most 512 px, and written anew as WebP. Rejects with VALIDATION_ERROR about `image` for what is no PNG,
 * JPEG or WebP.
 *
 * It runs in a thread of its own, which ends with it: answers of this process do not wait, and the memory is free afterwards.
 */
export async function reencode(bytes: Uint8Array): Promise<LogoMade> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length > mostBytes) throw refusal(`must be at most ${mostBytes} bytes; it has ${buffer.length}`);
  const head = imageHead(buffer);
  if (head === undefined)
    throw refusal(
      looksLikeSvg(buffer)
        ? "must not be SVG, which can hold scripts. Export it as PNG, 512 pixels wide"
        : "must be a PNG, JPEG or WebP picture",
    );
  const pixels = head.width * head.height;
  if (pixels === 0 || pixels > mostPixels)
    throw refusal(`must have at most ${mostPixels} pixels, such as 2500 x 2500; it has ${head.width} x ${head.height}`);
  const made = await inTurn(() => runThread({ type: head.type, bytes: buffer, mostPx }));
  if (made === undefined) throw refusal(`cannot be read as ${head.type.toUpperCase()}: it is broken or animated`);
  return made;
}

function refusal(message: string): Error {
  return validationError([{ field: "image", message }]);
}

/** Undefined for a picture that cannot be read in time. */
async function runThread(workerData: LogoTask): Promise<LogoMade | undefined> {
  const thread = new Worker(new URL("./logoThread.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    stderr: true,
  });
  const ended = Promise.withResolvers<LogoMade | undefined>();
  const giveUp = (): void => ended.resolve(undefined);
  // Typed by the code of the thread.
  thread
    .on("message", (made: LogoMade) => ended.resolve(made))
    .on("error", giveUp)
    .on("exit", giveUp);
  const timer = setTimeout(giveUp, timeoutMs);
  try {
    return await ended.promise;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
