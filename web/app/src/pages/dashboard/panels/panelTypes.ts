import type { FilterField } from "../../../../../../packages/client-js/src/filterFields.ts";
import type { QueryTypeName } from "../../../../../../packages/client-js/src/query.ts";
import type { Rows } from "../../../../../../packages/client-js/src/rows.ts";
import type { Texts } from "../../../texts/texts.ts";
import type { TextFilter } from "../view/filter.ts";

/** A column of numbers: a field of the rows. */
export type PanelColumn<R> = {
  readonly field: keyof R & string;
  readonly name: (texts: Texts) => string;
  /** Whether it is about page views, so that it means nothing if filters select none. */
  readonly isOfPageViews?: true;
  /** Whether panels show it too, and not only sheets. The first column is always shown. */
  readonly isInPanel?: true;
};

/** One list of a panel: a query type and how its rows are shown. */
export type PanelList<N extends QueryTypeName = QueryTypeName> = {
  readonly type: N;
  readonly title: (texts: Texts) => string;
  /** The heading of the rows' column. */
  readonly rowName: (texts: Texts) => string;
  readonly label: (row: Rows[N], texts: Texts) => string;
  /** The texts that identify a row. */
  readonly names: readonly (keyof Rows[N] & string)[];
  /** The first one is drawn as bars, sorted by and compared: visitors, where rows have them. */
  readonly columns: readonly PanelColumn<Rows[N]>[];
  /** What the service sorts by. */
  readonly servedBy: keyof Rows[N] & string;
  /** Whether its rows are a part of the visitors of the range, so that they have a share of them. */
  readonly hasShare?: true;
  /** Whether it has no rows if filters select no page views. */
  readonly isOfPageViews?: boolean;
  /** The filters of a click on a row; empty for rows that cannot be filtered by. The first one is the row's own value. */
  readonly filters?: (row: Rows[N]) => readonly TextFilter[];
  /** The field and the value that a row's icon is for. */
  readonly icon?: (row: Rows[N]) => readonly [field: string, value: string];
  /** Whether more of its first column is good or bad news; good unless given. */
  readonly moreIs?: "better" | "worse";
  /** The field of visits whose values the rows are. */
  readonly visitField?: FilterField;
  /** Whether its rows carry the chosen goal: how many of their visitors reach it. */
  readonly carriesGoal?: true;
  /** Whether visits without a value have no row. */
  readonly leavesOutUnknown?: boolean;
  /** The field that a sheet has the service search in, where not all rows are loaded. */
  readonly searchField?: FilterField;
  /** The type whose rows of the same name have the bounce rate and the duration of visits. */
  readonly visitsType?: "sessions_by_device" | "sessions_by_browser" | "sessions_by_country";
  /** Whether the panel shows it first if a goal is chosen. */
  readonly isFirstWithGoal?: true;
  /** Whether its tab is in the menu of further ones. */
  readonly isFurther?: true;
  /** Shown to members only: a public dashboard may not ask for it. */
  readonly isPrivate?: boolean;
};

/** Several lists in one place; one is shown at a time. */
export type PanelEntry = {
  readonly id: string;
  readonly title: (texts: Texts) => string;
  readonly lists: readonly PanelList[];
  /** Whether the world map is one more tab. */
  readonly hasMap?: true;
};

/** Checks a list against the rows of its type; panels do not know that type. */
export function list<N extends QueryTypeName>(entry: PanelList<N>): PanelList {
  return entry as unknown as PanelList;
}

/** A row of any list. */
export type AnyRow = Rows[QueryTypeName];

/** A number of a row; null if it has none. */
export function figureOf(row: object, field: string): number | null {
  const value: unknown = (row as Readonly<Record<string, unknown>>)[field];
  return typeof value === "number" ? value : null;
}

/** A key that is unique among the rows of a list. */
export function keyOf({ names }: PanelList, row: object): string {
  return JSON.stringify(names.map((name) => (row as Readonly<Record<string, unknown>>)[name]));
}
