import { readOpenapi } from "../../kit/openapi/openapiDocument.ts";

/** An operation of the OpenAPI document, as far as examples need it. */
export type Operation = {
  readonly id: string;
  readonly verb: string;
  readonly path: string;
  /** The names of the security schemes that a caller may use; empty where none is needed. */
  readonly ways: readonly string[];
  /** Whether it also answers without credentials. */
  readonly isOpen: boolean;
};

type Document = {
  paths: Record<string, Record<string, { operationId: string; security: Record<string, unknown>[] }>>;
  components: { schemas: Record<string, unknown> };
};

export const document = readOpenapi<Document>();

/** Every operation by its id, such as createLink. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { operationId: id, security }]): [string, Operation] => {
      const ways = security.flatMap((way) => Object.keys(way));
      const isOpen = security.length === 0 || security.some((way) => Object.keys(way).length === 0);
      return [id, { id, verb: verb.toUpperCase(), path, ways, isOpen }];
    }),
  ),
);
