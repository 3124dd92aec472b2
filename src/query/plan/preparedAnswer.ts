import type { JsonObject } from "@bufbuild/protobuf";
import type { BoundValue, Row, TextRow } from "../../store/questdb/questdbReader.ts";

type Awaitable<T> = T | Promise<T>;

/** How a parameter is answered, before anything is read. */
export type PreparedAnswer = {
  readonly statements: readonly PreparedStatement[];
  /** Builds the answer's rows from the statements' results, in order, or returns what must be read next. */
  readonly rows: (results: readonly (readonly Row[])[]) => Awaitable<JsonObject[] | PreparedAnswer>;
};

/**
 * With `each`, every row is passed on as text when it arrives, and the result is empty: memory does not grow with the
 * number of rows.
 */
export type PreparedStatement = {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  readonly each?: (row: TextRow) => void;
};
