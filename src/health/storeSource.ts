import { within } from "../concurrency/within.ts";
import type { HealthSource } from "./source.ts";
import type { Condition, StateName } from "./states.ts";

export type StoreName = "questdb" | "postgres" | "temporal";

/** Checks whether a store works; rejects when it does not. */
export type ReadinessCheck = () => Promise<void>;

/** A store answers, but is not ready. */
export class NotReadyError extends Error {
  override name = "NotReadyError";
  readonly state: StateName;
  /** Which ones, if there are several, such as tables. */
  readonly of: readonly string[];

  constructor(state: StateName, message: string, of: readonly string[] = []) {
    super(message);
    this.state = state;
    this.of = of;
  }
}

/** How long a store may take to answer. */
const checkTimeoutMs = 2_500;

/** Reports stores that do not work. `shown` is what /readyz answers about each by name: "ok", "unavailable" or what is wrong. */
export function storeSource(checks: Readonly<Partial<Record<StoreName, ReadinessCheck>>>): HealthSource & {
  readonly shown: Readonly<Record<string, string>>;
} {
  let shown: Record<string, string> = {};
  return {
    everyMs: 0,
    get shown() {
      return shown;
    },
    async read() {
      const now: Record<string, string> = {};
      const found = await Promise.all(
        (["questdb", "postgres", "temporal"] as const).map(async (store): Promise<Condition[]> => {
          const check = checks[store];
          if (check === undefined) return [];
          now[store] = "ok";
          try {
            await within(checkTimeoutMs, check());
            return [];
          } catch (error) {
            if (error instanceof NotReadyError) {
              now[store] = error.message;
              return conditionsOf(error);
            }
            now[store] = "unavailable";
            return [{ state: `${store}_unavailable`, message: `${nameOf[store]} does not answer`, cause: error }];
          }
        }),
      );
      shown = now;
      return found.flat();
    },
  };
}

function conditionsOf({ state, of, message }: NotReadyError): Condition[] {
  return of.length === 0 ? [{ state, message }] : of.map((each) => ({ state, of: each, message }));
}

const nameOf = { questdb: "QuestDB", postgres: "PostgreSQL", temporal: "Temporal" };
