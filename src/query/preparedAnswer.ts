import type { JsonObject } from "@bufbuild/protobuf";
import type { BoundValue, Row } from "../store/questdbReader.ts";

/** How a parameter is answered, before anything is read: its statements, and what makes the answer's rows of their results, in order. */
export type PreparedAnswer = {
  readonly statements: readonly { readonly sql: string; readonly values: readonly BoundValue[] }[];
  readonly rows: (results: readonly (readonly Row[])[]) => JsonObject[];
};
