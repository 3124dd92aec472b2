import type { TableName } from "./tables.ts";

/**
 * What a row in the log of a shard is that comes from the log or the store of another one (`src/scale/move`): a `row` of that log, the `id` of
 * such a row, which is not stored itself, or a `copy` of a stored one, whose sessions come along.
 */
export type MovedRow = "row" | "id" | "copy";

/** The part of a row that the steps before a commit use. A TableRow is one too. */
export type KeyedRow = {
  readonly table: TableName;
  readonly tsUs: number;
  readonly values: {
    readonly website_id?: string | undefined;
    /** Set where a row belongs to none of its organization's websites. */
    readonly organization_id?: string | undefined;
    readonly event_key?: number | undefined;
    readonly visitor_key?: number | undefined;
    readonly started?: number | undefined;
  };
  readonly claimCheck?: number | undefined;
  readonly isErased?: true;
  /** Of a row that comes from the shard that its organization leaves. */
  readonly moved?: MovedRow;
};
