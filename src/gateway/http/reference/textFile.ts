import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { type Encoding, encodingFor } from "../compression.ts";
import type { HttpRequest, HttpResponse } from "../httpCall.ts";
import { sendBody, tagOf } from "../sendBody.ts";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

type Kept = { readonly body: Buffer; readonly tag: string };

/**
 * A file of text, as which it stands in the repository or a package. It is compressed in a thread when an encoding is
 * first asked for, and the result is cached. A client without compression gets it from the disk, since there are few.
 */
export class TextFile {
  readonly #path: () => string | URL;
  readonly #contentType: string;
  readonly #kept = new Map<Encoding, Promise<Kept>>();

  constructor(path: () => string | URL, contentType: string) {
    this.#path = path;
    this.#contentType = `${contentType}; charset=utf-8`;
  }

  /** Answers GET and HEAD, and a conditional request for this version with 304. Rejects if the file cannot be read. */
  async send(request: HttpRequest, response: HttpResponse, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const encoding = encodingFor(request.headers["accept-encoding"], Infinity);
    const { body, tag } = encoding === undefined ? await this.#read() : await this.#compressed(encoding);
    if (response.destroyed) return;
    sendBody(request, response, { encoding, body }, tag, {
      ...more,
      vary: more["vary"] === undefined ? "Accept-Encoding" : `${more["vary"]}, Accept-Encoding`,
      "content-type": this.#contentType,
      // Asked for again each time, since the address stays when the file changes.
      "cache-control": "no-cache",
    });
  }

  async #read(): Promise<Kept> {
    const body = await readFile(this.#path());
    return { body, tag: tagOf(body) };
  }

  #compressed(encoding: Encoding): Promise<Kept> {
    const known = this.#kept.get(encoding);
    if (known !== undefined) return known;
    const made = this.#read().then(({ body, tag }) => compressed(body, tag, encoding));
    this.#kept.set(encoding, made);
    made.catch(() => this.#kept.delete(encoding));
    return made;
  }
}

/** Sent often and compressed once, so smaller than an answer would be. */
async function compressed(body: Buffer, tag: string, encoding: Encoding): Promise<Kept> {
  const small =
    encoding === "br"
      ? await compressBrotli(body, {
          params: {
            [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
            // Measured on the document: 22 ms, where the best level takes 530 ms for a tenth fewer bytes.
            [zlib.BROTLI_PARAM_QUALITY]: 9,
            [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
          },
        })
      : await compressGzip(body, { level: zlib.Z_BEST_COMPRESSION });
  return { body: small, tag };
}
