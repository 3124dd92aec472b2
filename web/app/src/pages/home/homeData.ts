import { type Signal, signal } from "@preact/signals";
import { StatusPageService } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf, errorOf, LookoutError, query } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { LimitedQueue } from "./limitedQueue.ts";
import { type SiteFigures, siteFigures, siteQuestion } from "./siteFigures.ts";
import { type SiteState, siteState } from "./siteState.ts";

const statusPages = clientOf(StatusPageService);

/** Calls at a time. */
const mostCalls = 12;

/** An answer; the last one stays while it is asked again. */
export type Asked<T> = { readonly value: T | undefined; readonly error: LookoutError | undefined };

const nothing = { value: undefined, error: undefined } as const;

type Site = Pick<Website, "id" | "timezone">;

/** The figures and states of websites, each asked for by itself: one that fails leaves the others as they are. */
export class HomeData {
  readonly #queue = new LimitedQueue(mostCalls);
  readonly #figures = new Map<string, Signal<Asked<SiteFigures>>>();
  readonly #states = new Map<string, Signal<Asked<SiteState>>>();
  #end = new AbortController();

  figuresOf(id: string): Asked<SiteFigures> {
    return signalOf(this.#figures, id).value;
  }

  stateOf(id: string): Asked<SiteState> {
    return signalOf(this.#states, id).value;
  }

  askFigures({ id, timezone }: Site, isUrgent: boolean): void {
    this.#ask(`figures of ${id}`, signalOf(this.#figures, id), isUrgent, async (signal) => {
      const nowMs = Date.now();
      const answer = await query(siteQuestion({ id, timezone }, nowMs), { signal });
      const figures = siteFigures(answer, timezone, nowMs);
      if (figures === undefined) throw new LookoutError("QUERY_ERROR", answer.data[0].error ?? "");
      return figures;
    });
  }

  askState({ id }: Site, isUrgent: boolean): void {
    if (!may("read:uptime")) return;
    this.#ask(`state of ${id}`, signalOf(this.#states, id), isUrgent, async (signal) =>
      siteState(await statusPages.getStatusPage({ websiteId: id, days: 1 }, { signal })),
    );
  }

  /** Ends all calls. */
  stop(): void {
    this.#queue.clear();
    this.#end.abort();
    this.#end = new AbortController();
  }

  #ask<T>(key: string, known: Signal<Asked<T>>, isUrgent: boolean, ask: (signal: AbortSignal) => Promise<T>): void {
    const { signal: end } = this.#end;
    const run = async (): Promise<void> => {
      try {
        const value = await ask(end);
        if (!end.aborted) known.value = { value, error: undefined };
      } catch (thrown) {
        if (!end.aborted) known.value = { value: known.peek().value, error: errorOf(thrown) };
      }
    };
    this.#queue.add(key, run, isUrgent);
  }
}

function signalOf<T>(signals: Map<string, Signal<Asked<T>>>, id: string): Signal<Asked<T>> {
  const found = signals.get(id) ?? signal<Asked<T>>(nothing);
  signals.set(id, found);
  return found;
}
