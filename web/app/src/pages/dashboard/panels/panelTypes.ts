import type { ComponentType } from "preact";
import type { QueryTypeName } from "../../../../../../packages/client-js/src/query.ts";
import type { Rows } from "../../../../../../packages/client-js/src/rows.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { Step } from "../view/goal.ts";
import type { TextFilter } from "../view/view.ts";

/** A column of numbers; the first one is what the service sorts by, and drawn as a bar. */
export type PanelColumn<R> = { readonly name: (texts: Texts) => string; readonly value: (row: R) => number | null };

/** One list of a panel: a query type and how its rows are shown. */
export type PanelList<N extends QueryTypeName = QueryTypeName> = {
  readonly type: N;
  readonly title: (texts: Texts) => string;
  /** What the rows are about, as the head of their column. */
  readonly rowName: (texts: Texts) => string;
  readonly label: (row: Rows[N], texts: Texts) => string;
  /** What tells rows apart. */
  readonly key: (row: Rows[N]) => string;
  readonly columns: readonly PanelColumn<Rows[N]>[];
  /** Its columns where filters select no page views. */
  readonly columnsWithoutViews?: readonly PanelColumn<Rows[N]>[];
  /** Whether it has no rows where filters select no page views. */
  readonly isOfPageViews?: boolean;
  /** What a click on a row filters by; empty for rows that cannot be. The first one is the row's own value. */
  readonly filters?: (row: Rows[N]) => readonly TextFilter[];
  /** Whether more of its first column is bad news; it is good news unless given. */
  readonly moreIs?: "better" | "worse";
  /** The field of visits that its rows are values of. With a goal chosen they show how many of its visitors reach it. */
  readonly visitField?: string;
  /** Whether its rows, which are no values of visits, show how many of their visitors reach a goal that is chosen. */
  readonly carriesGoal?: true;
  /** Whether visits without a value have no row. */
  readonly leavesOutUnknown?: boolean;
  /** Whether the panel begins with it when a goal is chosen. */
  readonly isFirstWithGoal?: boolean;
  /** Shown to members only: a public dashboard may not ask for it. */
  readonly isPrivate?: boolean;
};

/** Several lists in one place, of which one is shown. */
export type PanelEntry = {
  readonly id: string;
  readonly title: (texts: Texts) => string;
  readonly lists: readonly PanelList[];
};

/** Checks a list against the rows of its type, which a panel then forgets. */
export function list<N extends QueryTypeName>(entry: PanelList<N>): PanelList {
  return entry as unknown as PanelList;
}

export type GoalRowsProps = { readonly goal: Step; readonly list: PanelList; readonly isNear: boolean };

/** What shows a list with a goal chosen. */
export type GoalRowsComponent = ComponentType<GoalRowsProps>;

/** Whether the rows of a list have a rate with a goal chosen. */
export function hasRates({ visitField, carriesGoal }: PanelList): boolean {
  return visitField !== undefined || carriesGoal === true;
}
