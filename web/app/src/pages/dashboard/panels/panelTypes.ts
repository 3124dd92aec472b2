import type { ComponentType } from "preact";
import type { QueryTypeName } from "../../../../../../packages/client-js/src/query.ts";
import type { Rows } from "../../../../../../packages/client-js/src/rows.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { Step } from "../view/goal.ts";
import type { TextFilter } from "../view/view.ts";

/** A column of numbers. The service sorts by the first one, which is also drawn as a bar. */
export type PanelColumn<R> = { readonly name: (texts: Texts) => string; readonly value: (row: R) => number | null };

/** One list of a panel: a query type and how its rows are shown. */
export type PanelList<N extends QueryTypeName = QueryTypeName> = {
  readonly type: N;
  readonly title: (texts: Texts) => string;
  /** The heading of the rows' column. */
  readonly rowName: (texts: Texts) => string;
  readonly label: (row: Rows[N], texts: Texts) => string;
  /** A key that is unique among the rows. */
  readonly key: (row: Rows[N]) => string;
  readonly columns: readonly PanelColumn<Rows[N]>[];
  /** Its columns if filters select no page views. */
  readonly columnsWithoutViews?: readonly PanelColumn<Rows[N]>[];
  /** Whether it has no rows if filters select no page views. */
  readonly isOfPageViews?: boolean;
  /** The filters of a click on a row; empty for rows that cannot be filtered by. The first one is the row's own value. */
  readonly filters?: (row: Rows[N]) => readonly TextFilter[];
  /** Whether more of its first column is good or bad news; good unless given. */
  readonly moreIs?: "better" | "worse";
  /** The field of visits whose values the rows are. If a goal is chosen, they show how many of its visitors reach it. */
  readonly visitField?: string;
  /** Whether its rows, which are not values of visits, show how many of their visitors reach the chosen goal. */
  readonly carriesGoal?: true;
  /** Whether visits without a value have no row. */
  readonly leavesOutUnknown?: boolean;
  /** Whether the panel shows it first if a goal is chosen. */
  readonly isFirstWithGoal?: boolean;
  /** Shown to members only: a public dashboard may not ask for it. */
  readonly isPrivate?: boolean;
};

/** Several lists in one place; one is shown at a time. */
export type PanelEntry = {
  readonly id: string;
  readonly title: (texts: Texts) => string;
  readonly lists: readonly PanelList[];
};

/** Checks a list against the rows of its type; panels do not know that type. */
export function list<N extends QueryTypeName>(entry: PanelList<N>): PanelList {
  return entry as unknown as PanelList;
}

export type GoalRowsProps = { readonly goal: Step; readonly list: PanelList; readonly isNear: boolean };

/** The component that shows a list if a goal is chosen. */
export type GoalRowsComponent = ComponentType<GoalRowsProps>;

/** Whether the rows of a list have a rate if a goal is chosen. */
export function hasRates({ visitField, carriesGoal }: PanelList): boolean {
  return visitField !== undefined || carriesGoal === true;
}
