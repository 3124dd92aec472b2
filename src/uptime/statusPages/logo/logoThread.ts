/** The thread that reads one picture and writes it anew; see reencode.ts. */
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import decodeJpeg, { init as initJpeg } from "@jsquash/jpeg/decode.js";
import decodePng, { init as initPng } from "@jsquash/png/decode.js";
import decodeWebp, { init as initWebp } from "@jsquash/webp/decode.js";
import encodeWebp, { init as initEncoder } from "@jsquash/webp/encode.js";
import type { ImageType } from "./imageHead.ts";
import { type Pixels, scaleDown } from "./scaleDown.ts";

export type LogoTask = { readonly type: ImageType; readonly bytes: Uint8Array; readonly mostPx: number };

export type LogoMade = { readonly image: Uint8Array; readonly width: number; readonly height: number };

/** Drawings are smaller without loss; a photo is not, and then this is enough. */
const mostLosslessBytes = 65_536;

/** The codecs would load their files over HTTP, as a browser does. */
async function moduleOf(path: string): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(await readFile(new URL(import.meta.resolve(path))));
}

const decoders: Readonly<Record<ImageType, (bytes: ArrayBuffer) => Promise<Pixels>>> = {
  png: async (bytes) => {
    await initPng(await moduleOf("@jsquash/png/codec/pkg/squoosh_png_bg.wasm"));
    return await decodePng(bytes);
  },
  jpeg: async (bytes) => {
    await initJpeg(await moduleOf("@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"));
    return await decodeJpeg(bytes, { preserveOrientation: true });
  },
  webp: async (bytes) => {
    await initWebp(await moduleOf("@jsquash/webp/codec/dec/webp_dec.wasm"));
    return await decodeWebp(bytes);
  },
};

async function encode(pixels: Pixels): Promise<Uint8Array> {
  await initEncoder(await moduleOf("@jsquash/webp/codec/enc/webp_enc_simd.wasm"));
  // What the encoder reads of an ImageData are these three.
  const image = pixels as unknown as Parameters<typeof encodeWebp>[0];
  const lossless = new Uint8Array(await encodeWebp(image, { lossless: 1 }));
  if (lossless.length <= mostLosslessBytes) return lossless;
  return new Uint8Array(await encodeWebp(image, { quality: 90 }));
}

// Typed by the code that starts the thread.
const { type, bytes, mostPx } = workerData as LogoTask;
const own = new Uint8Array(bytes);
const scaled = scaleDown(await decoders[type](own.buffer), mostPx);
const made: LogoMade = { image: await encode(scaled), width: scaled.width, height: scaled.height };
parentPort?.postMessage(made);
