import { setTimeout as pause } from "node:timers/promises";
import { type JsonAnswer, send } from "../calls/request.ts";

type Key = { readonly apiKey: string };

const retryMs = 300;

/** A client of several APIs that tries the next one until one answers as it wants, or `deadlineMs` (performance.now()) has passed. */
export class PersistentClient {
  readonly #baseUrls: readonly string[];
  readonly #deadlineMs: number;
  #turn = 0;

  constructor(baseUrls: readonly string[], deadlineMs: number) {
    this.#baseUrls = baseUrls;
    this.#deadlineMs = deadlineMs;
  }

  /** Resolves to the first result that is not undefined. Rejects with the last failure, or what was answered last. */
  async until<T>(what: string, ask: (baseUrl: string) => Promise<T | undefined>): Promise<T> {
    let last: unknown;
    for (;;) {
      const baseUrl = String(this.#baseUrls[this.#turn++ % this.#baseUrls.length]);
      try {
        const found = await ask(baseUrl);
        if (found !== undefined) return found;
      } catch (error) {
        last = error;
      }
      if (performance.now() > this.#deadlineMs) throw new Error(`${what}: not in time`, { cause: last });
      await pause(retryMs);
    }
  }

  /** The body of the first answer with status 200 that `isWanted`. */
  async call<T>(
    verb: string,
    path: string,
    { apiKey }: Key,
    { body, isWanted = () => true }: { body?: object; isWanted?: (body: T) => boolean } = {},
  ): Promise<T> {
    let last: JsonAnswer | undefined;
    const what = `${verb} ${path}`;
    return await this.until(what, async (baseUrl) => {
      last = await send(verb, path, { apiKey, baseUrl, ...(body === undefined ? {} : { body }) });
      const shown = last.body as T;
      if (last.status === 200 && isWanted(shown)) return shown;
      if (performance.now() > this.#deadlineMs) throw new Error(`${last.status} ${JSON.stringify(last.body)}`);
      return undefined;
    });
  }
}
