import type { TableName } from "../questdb/tables.ts";

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
};
