import type { DescMethodServerStreaming, DescMethodUnary, JsonObject, MessageShape } from "@bufbuild/protobuf";
import type { LookoutServices } from "../calls.ts";
import type { TrackedEvent } from "../eventQueue.ts";
import type { ServiceDescriptors } from "../services.ts";
import type { TestRows } from "./rowAnswers.ts";

/** What a call answers: always the same, or what a function makes of its request. A function may throw a LookoutError. */
export type TestAnswer<M> =
  M extends DescMethodUnary<infer I, infer O>
    ?
        | AnswerOf<MessageShape<O>>
        | ((request: MessageShape<I>) => AnswerOf<MessageShape<O>> | Promise<AnswerOf<MessageShape<O>>>)
    : M extends DescMethodServerStreaming<infer I, infer O>
      ? readonly AnswerOf<MessageShape<O>>[] | ((request: MessageShape<I>) => readonly AnswerOf<MessageShape<O>>[])
      : never;

/** A message or what it is made of. Members may be left out or undefined. */
type AnswerOf<Value> = Value extends JsonObject | Uint8Array
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly AnswerOf<Item>[]
    : Value extends object
      ? {
          readonly [Name in keyof Value as Exclude<Name, "$typeName" | "$unknown">]?: AnswerOf<Value[Name]> | undefined;
        }
      : Value;

/** The answers of a test, by service and call, as in `lookout.links.createLink`; `rows` are those of query types. */
export type TestAnswers = {
  readonly [S in keyof ServiceDescriptors]?: {
    readonly [M in keyof ServiceDescriptors[S]["method"]]?: TestAnswer<ServiceDescriptors[S]["method"][M]>;
  };
} & { readonly rows?: TestRows };

/** A call that was made: its name tells the compiler what its request is. */
export type TestCall = {
  [S in keyof LookoutServices]: {
    [M in keyof LookoutServices[S] & string]: OneCall<`${S}.${M}`, LookoutServices[S][M]>;
  }[keyof LookoutServices[S] & string];
}[keyof LookoutServices];

type OneCall<Name extends string, Call> = {
  /** Such as `links.createLink`. */
  readonly call: Name;
  /** As the code under test wrote it, as a plain object: without members that are undefined, with times as texts. */
  readonly request: (Call extends (request: infer Request, ...rest: never[]) => unknown ? Request : never) &
    Readonly<Record<string, unknown>>;
  /** The headers of the request, such as `idempotency-key`. */
  readonly headers: Headers;
};

/** An event that was sent, as it was tracked, with its id and its time (Unix ms). */
export type SentEvent = TrackedEvent & { readonly eventId: string; readonly timestamp: number };
