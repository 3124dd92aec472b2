import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { CallOptions } from "./callOptions.ts";
import type { Lookout } from "./createLookout.ts";
import { LookoutError } from "./lookoutError.ts";
import { refusal } from "./readRequest.ts";
import { backoffMs, longestWaitMs, pause } from "./retry.ts";
import { requireTimeout } from "./timeouts.ts";
import { type FinishedExport, type WaitForExportOptions, waitForExport } from "./waitForExport.ts";

export type DownloadExportOptions = WaitForExportOptions & {
  /** How often the download is begun that breaks off again without having got further. The default is 3. */
  readonly attempts?: number | undefined;
  /** How long nothing may come of the file, ms, until it is asked for again. The default is 30 s. */
  readonly stallTimeoutMs?: number | undefined;
};

const usualAttempts = 3;
const usualStallMs = 30_000;
const firstWaitMs = 200;

/**
 * Waits until an export is done, and writes its file, a ZIP archive, to a path or a stream. It comes over the client's own connections, so with
 * its agent, authority and proxy. A download that breaks off, or of which nothing comes for `stallTimeoutMs`, goes on where it was: only what is
 * missing is asked for. It is given up after `attempts` without anything new. A path has the file once all of it has come, in place of one that was there; until then it is beside it, with the ending `.part`, which is removed
 * if this throws. A stream is closed at the end, and aborted if this throws. Throws a LookoutError: CONFLICT as waitForExport, BAD_ANSWER
 * if the file is not the one of the service's checksum; and what the file system or the stream throws.
 */
export async function downloadExport(
  lookout: Pick<Lookout, "data">,
  exportId: string,
  to: string | URL | WritableStream<Uint8Array>,
  { attempts = usualAttempts, stallTimeoutMs = usualStallMs, ...options }: DownloadExportOptions = {},
): Promise<FinishedExport> {
  requireTimeout(stallTimeoutMs, "stallTimeoutMs");
  if (!(attempts >= 1)) throw refusal([{ field: "attempts", message: `must be at least 1, not ${attempts}` }]);
  const target = typeof to === "string" || to instanceof URL ? await fileTarget(to) : streamTarget(to);
  try {
    const finished = await waitForExport(lookout, exportId, options);
    const { intervalMs: _, maxWaitMs: __, onProgress: ___, ...call } = options;
    await download(lookout, finished, target.write, { attempts, stallTimeoutMs, call });
    await target.finish();
    return finished;
  } catch (error) {
    await target.giveUp(error);
    throw error;
  }
}

type Download = { readonly attempts: number; readonly stallTimeoutMs: number; readonly call: CallOptions };

async function download(
  lookout: Pick<Lookout, "data">,
  { exportId, downloadUrl, sha256 }: FinishedExport,
  write: Target["write"],
  { attempts, stallTimeoutMs, call }: Download,
): Promise<void> {
  const signature = signatureOf(downloadUrl);
  const hash = createHash("sha256");
  let written = 0;
  let failures = 0;
  for (;;) {
    const before = written;
    // How many of the next bytes are written already; undefined before the first message.
    let known: number | undefined;
    const stalled = new AbortController();
    const signal = call.signal === undefined ? stalled.signal : AbortSignal.any([call.signal, stalled.signal]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watchFor = () => {
      if (stallTimeoutMs > 0) timer = setTimeout(() => stalled.abort(), stallTimeoutMs);
    };
    // What the target throws is no failure of the download.
    let ofTarget: unknown;
    try {
      watchFor();
      const request = { exportId, signature, ...(written > 0 ? { offset: written } : {}) };
      for await (const { data, offset } of lookout.data.downloadExport(request, { ...call, signal })) {
        clearTimeout(timer);
        known ??= knownBytes(written, offset);
        const news = data.subarray(Math.min(data.length, known));
        known -= data.length - news.length;
        if (news.length > 0) {
          await write(news).catch((error: unknown) => {
            ofTarget = error;
            throw error;
          });
          hash.update(news);
          written += news.length;
        }
        watchFor();
      }
      break;
    } catch (thrown) {
      clearTimeout(timer);
      if (ofTarget !== undefined) throw ofTarget;
      const error = stalled.signal.aborted && call.signal?.aborted !== true ? stall(stallTimeoutMs, thrown) : thrown;
      failures = written > before ? 1 : failures + 1;
      if (!(error instanceof LookoutError) || !error.isTemporary || failures >= attempts) throw error;
      if ((error.retryAfterMs ?? 0) > longestWaitMs) throw error;
      await pause(error.retryAfterMs ?? backoffMs(failures, firstWaitMs), call.signal ?? undefined);
    } finally {
      clearTimeout(timer);
    }
  }
  if (sha256 === undefined || hash.digest("hex") === sha256) return;
  throw new LookoutError("BAD_ANSWER", "The file of the export broke off or was changed on the way. Download it again");
}

/** How many bytes of a download are written already. An older service sends the whole file, and no offset. */
function knownBytes(written: number, offset = 0): number {
  if (offset <= written) return written - offset;
  throw new LookoutError("BAD_ANSWER", "The file of the export goes on behind what has come of it. Download it again", {
    isLasting: true,
  });
}

function stall(ms: number, cause: unknown): LookoutError {
  return new LookoutError("TIMEOUT", `Nothing came of the export's file for ${ms / 1_000} s`, { cause });
}

function signatureOf(downloadUrl: string): string {
  const signature = URL.canParse(downloadUrl) ? new URL(downloadUrl).searchParams.get("signature") : null;
  if (signature !== null) return signature;
  throw new LookoutError("BAD_ANSWER", "The export has no address that can be read", { isLasting: true });
}

/** Where a file goes. */
type Target = {
  readonly write: (data: Uint8Array) => Promise<void>;
  readonly finish: () => Promise<void>;
  readonly giveUp: (why: unknown) => Promise<void>;
};

async function fileTarget(to: string | URL): Promise<Target> {
  const path = to instanceof URL ? fileURLToPath(to) : to;
  const part = `${path}.part`;
  // Before the export is waited for: a file that cannot be written fails at once.
  const file = await open(part, "w");
  return {
    write: async (data) => await file.writeFile(data),
    finish: async () => {
      await file.close();
      await rename(part, path);
    },
    giveUp: async () => {
      await file.close().catch(() => undefined);
      await rm(part, { force: true });
    },
  };
}

function streamTarget(to: WritableStream<Uint8Array>): Target {
  const writer = to.getWriter();
  return {
    write: async (data) => {
      await writer.ready;
      await writer.write(data);
    },
    finish: () => writer.close(),
    giveUp: (why) => writer.abort(why).catch(() => undefined),
  };
}
