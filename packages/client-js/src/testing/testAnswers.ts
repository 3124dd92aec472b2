import type { DescMethodServerStreaming, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { ServiceDescriptors } from "../services.ts";
import type { TestRows } from "./rowAnswers.ts";

/** What a call answers: always the same, or what a function makes of its request. A function may throw a LookoutError. */
export type TestAnswer<M> =
  M extends DescMethodUnary<infer I, infer O>
    ? MessageInitShape<O> | ((request: MessageShape<I>) => MessageInitShape<O> | Promise<MessageInitShape<O>>)
    : M extends DescMethodServerStreaming<infer I, infer O>
      ? readonly MessageInitShape<O>[] | ((request: MessageShape<I>) => readonly MessageInitShape<O>[])
      : never;

/** The answers of a test, by service and call, as in `lookout.links.createLink`; `rows` are those of query types. */
export type TestAnswers = {
  readonly [S in keyof ServiceDescriptors]?: {
    readonly [M in keyof ServiceDescriptors[S]["method"]]?: TestAnswer<ServiceDescriptors[S]["method"][M]>;
  };
} & { readonly rows?: TestRows };

/** A call that was made. */
export type TestCall = {
  /** Such as `links.createLink`. */
  readonly call: string;
  readonly request: Readonly<Record<string, unknown>>;
};
