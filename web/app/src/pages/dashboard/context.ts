import type { Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { LookoutError } from "../../api/client.ts";
import type { Days, LocalTime } from "../../figures/days.ts";
import type { Step } from "./view/goal.ts";
import type { Scope, Subject } from "./view/question.ts";
import type { Granularity, View } from "./view/view.ts";

/** The context of all questions of the dashboard. */
export type DashboardContext = {
  readonly websiteId: string;
  readonly view: View;
  /** The chosen goal; also undefined for people who may not ask about goals. */
  readonly goal: Step | undefined;
  /** Website, time zone and filters. */
  readonly subject: Subject;
  /** The same with the range. */
  readonly scope: Scope;
  /** The first and the last day of the range. */
  readonly days: Days;
  readonly granularity: Granularity;
  /** The website's clock when the view was opened. */
  readonly now: LocalTime;
  /** Asks again when it changes. */
  readonly refresh: number;
  /** Whether the key figures have arrived or failed. Everything else is asked for after them, so that it does not delay them. */
  readonly hasFigures: Signal<boolean>;
  /** Whether nothing is known of the range: then figures of 0 are unknown too. */
  readonly isRangeUnknown: Signal<boolean>;
  /** Whether figures may be compared with the other period: enough is known of both. */
  readonly isComparable: Signal<boolean>;
  /** The visitors of the range: null if nothing was measured, undefined until known. */
  readonly visitors: Signal<number | null | undefined>;
  /** Why the key figures are missing: parts that fail for the same reason need not say it again. */
  readonly failure: Signal<LookoutError | undefined>;
  /** Whether custom events and other figures may be asked for that a public dashboard does not show. */
  readonly isMember: boolean;
  /** The query types that the link of a shared dashboard answers; undefined elsewhere. */
  readonly types: readonly string[] | undefined;
};

/** Whether the readers of the dashboard may ask a query type, apart from what only members may ask. */
export function mayAsk({ types }: Pick<DashboardContext, "types">, type: string): boolean {
  return types === undefined || types.includes(type);
}

const Context = createContext<DashboardContext | undefined>(undefined);

export const DashboardProvider = Context.Provider;

export function useDashboard(): DashboardContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error("a part of the dashboard is outside of it");
  return context;
}
