import type { CallOptions } from "./callOptions.ts";
import type { Lookout } from "./createLookout.ts";
import type { GetExportResponse } from "./gen/lookout/v1/data_pb.ts";
import { LookoutError } from "./lookoutError.ts";
import { pause } from "./retry.ts";
import { requireTimeout } from "./timeouts.ts";

/** An export that is done. */
export type FinishedExport = GetExportResponse & {
  /** Where its file is, a ZIP. The address is signed and needs no key, so treat it as one. */
  readonly downloadUrl: string;
};

export type WaitForExportOptions = CallOptions & {
  /** How often to ask, ms. The default is 1 s. */
  readonly intervalMs?: number | undefined;
  /** How long to wait at most, ms; then it throws TIMEOUT, and the export goes on. The default is as long as it takes. */
  readonly maxWaitMs?: number | undefined;
  /** Called with what is known of the export, as often as it is asked for. */
  readonly onProgress?: ((state: GetExportResponse) => void) | undefined;
};

const usualIntervalMs = 1_000;

/**
 * Resolves when an export is done, which `lookout.data.createExport` has started. Throws a LookoutError (CONFLICT) with the reason when it has
 * failed, was cancelled or has expired. It waits for as long as the export takes: `signal` ends that, but not the export.
 */
export async function waitForExport(
  lookout: Pick<Lookout, "data">,
  exportId: string,
  { intervalMs = usualIntervalMs, maxWaitMs, onProgress, ...options }: WaitForExportOptions = {},
): Promise<FinishedExport> {
  requireTimeout(maxWaitMs, "maxWaitMs");
  const endMs = performance.now() + (maxWaitMs ?? Number.POSITIVE_INFINITY);
  for (;;) {
    const state = await lookout.data.getExport({ exportId }, options);
    onProgress?.(state);
    const { status, downloadUrl, reason } = state;
    if (status === "completed" && downloadUrl !== undefined) return Object.assign(state, { downloadUrl });
    if (status !== "processing")
      throw new LookoutError("CONFLICT", `The export is ${status}${reason === undefined ? "" : `: ${reason}`}`);
    if (performance.now() + intervalMs > endMs)
      throw new LookoutError(
        "TIMEOUT",
        `The export is not done after ${maxWaitMs} ms. Wait for it again with its id; if it makes no progress, check that a worker of Lookout runs`,
      );
    await pause(intervalMs, options.signal);
  }
}
