import type { JsonObject } from "@bufbuild/protobuf";
import type { BoundValue, Row, TextRow } from "../../store/questdb/questdbReader.ts";

type Awaitable<T> = T | Promise<T>;

/** How a parameter is answered, before anything is read. */
export type PreparedAnswer = {
  readonly statements: readonly PreparedStatement[];
  /** Makes the answer's rows of the statements' results, in order, or says what must be read next to make them. */
  readonly rows: (results: readonly (readonly Row[])[]) => Awaitable<JsonObject[] | PreparedAnswer>;
};

/** With `each`, every row is handed over as it comes, as text, and the result is empty: so any number of rows needs no memory. */
export type PreparedStatement = {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  readonly each?: (row: TextRow) => void;
};
