import { LookoutError } from "./lookoutError.ts";

/** A call that is being made. */
export type RunningCall = {
  /** Aborts when the caller's own signal does, and when the client is closed. */
  readonly signal: AbortSignal;
  /** CANCELLED after the caller's signal has aborted, CLOSED after the client was closed; undefined before. */
  endedBy(cause: unknown): LookoutError | undefined;
  /** To be called when the call has ended. */
  end(): void;
};

/** The calls of a client, which end with it. */
export class Lifetime {
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  /** Throws a LookoutError (CLOSED) when the client is closed. `own` is the caller's signal. */
  begin(own: AbortSignal | undefined): RunningCall {
    if (this.#isClosed) throw closedError();
    const controller = new AbortController();
    // A listener that goes with the call: what AbortSignal.any makes would stay with a signal that lasts.
    const cancel = () => controller.abort(own?.reason);
    if (own?.aborted) cancel();
    else own?.addEventListener("abort", cancel, { once: true });
    this.#running.add(controller);
    return {
      signal: controller.signal,
      endedBy: (cause) => {
        if (own?.aborted) return new LookoutError("CANCELLED", "The call was cancelled", { cause });
        return controller.signal.aborted ? closedError(cause) : undefined;
      },
      end: () => {
        own?.removeEventListener("abort", cancel);
        this.#running.delete(controller);
      },
    };
  }

  /** Ends the calls that run, and refuses later ones. */
  close(): void {
    this.#isClosed = true;
    for (const controller of this.#running) controller.abort();
    this.#running.clear();
  }
}

function closedError(cause?: unknown): LookoutError {
  return new LookoutError("CLOSED", "The client was closed. Make another one with createLookout", { cause });
}
