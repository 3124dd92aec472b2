import type { DescMethodServerStreaming, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Lookout, LookoutOptions } from "../createLookout.ts";
import { createClientOf } from "../createLookout.ts";
import type { ServiceDescriptors } from "../services.ts";
import { memoryTransport } from "./memoryTransport.ts";
import type { TestRows } from "./rowAnswers.ts";

export type { TestRow, TestRows } from "./rowAnswers.ts";

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

/** A client without a service. */
export type TestLookout = Lookout & {
  /** The calls that were made, in their order. */
  readonly calls: readonly TestCall[];
};

/**
 * A client for tests that needs no service: each call is answered by `answers`. Requests and answers are checked against the contract: a
 * member that does not exist, a value of another kind and a value that is not in its list are refused, so that a test does not pass with an
 * answer that Lookout would never give. A call without an answer rejects with NOT_IMPLEMENTED and says what to add. Events are taken.
 */
export function createTestLookout(answers: TestAnswers = {}, options: Partial<LookoutOptions> = {}): TestLookout {
  const calls: TestCall[] = [];
  const usual = { baseUrl: "http://test.invalid", websiteId: "test-website", retry: { attempts: 1 } };
  const lookout = createClientOf({ ...usual, ...options }, (_, interceptors) => ({
    transport: memoryTransport(answers, interceptors, (call) => calls.push(call)),
  }));
  return { ...lookout, calls };
}
