import type { Cursor } from "./cursor.ts";
import type { DatasetRange } from "./datasetRange.ts";

/** Rows of a website in a range, after a given row. */
export type RowsRequest = {
  readonly websiteId: string;
  readonly range: DatasetRange;
  readonly after: Cursor | null;
  readonly limit: number;
};
