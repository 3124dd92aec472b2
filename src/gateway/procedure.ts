import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { AnswerInParts } from "../call/answerInParts.ts";
import type { CallContext } from "../call/callContext.ts";
import type { Calls, ServerStream, Unary } from "../gen/lookout/services.ts";
import { idRewriter } from "./objectIds.ts";
import { isLenient } from "./routeTable.ts";

/** A handler without the types of its messages; the generated handler types check those where handlers are listed. */
export type Procedure =
  | { readonly kind: "unary"; run(request: unknown, call: CallContext): Promise<object> | object }
  | { readonly kind: "stream"; run(request: unknown, call: CallContext): AsyncIterable<object> };

/** The function that answers a call. */
type Handler<Call, App> =
  Call extends Unary<infer Request, infer Reply>
    ? (request: Request, call: CallContext<App>) => Promise<Reply | AnswerInParts<Reply & object>> | Reply
    : Call extends ServerStream<infer Request, infer Reply>
      ? (request: Request, call: CallContext<App>) => AsyncIterable<Reply>
      : never;

/**
 * The handlers that exist, by service and call; an RPC without one is answered NOT_IMPLEMENTED. All find what they need
 * in `App`.
 */
export type ImplementedHandlers<App = unknown> = {
  readonly [Service in keyof Calls]?: { [Name in keyof Calls[Service]]?: Handler<Calls[Service][Name], App> };
};

/** Procedures by the full name of their RPC, such as lookout.v1.QueryService.Query. */
export function proceduresOf<App>(
  services: readonly DescService[],
  handlers: ImplementedHandlers<App>,
): ReadonlyMap<string, Procedure> {
  const byService: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = handlers;
  const procedures = new Map<string, Procedure>();
  for (const service of services)
    for (const method of service.methods) {
      const handler = byService[service.typeName]?.[method.localName];
      if (handler !== undefined) procedures.set(`${service.typeName}.${method.name}`, procedureOf(handler, method));
    }
  return procedures;
}

// Each handler is only called with the message that its own codec has read, which the type system cannot express for a
// table.
function procedureOf(handler: unknown, method: DescMethod): Procedure {
  // What trackers send is not rewritten: ids of events and visitors are theirs, and websites are found in either case.
  const rewrite = isLenient(method) ? undefined : idRewriter(method.input);
  const run = readingIds(handler as (request: unknown, call: CallContext) => never, rewrite);
  return { kind: method.methodKind === "server_streaming" ? "stream" : "unary", run };
}

function readingIds<Answer>(
  run: (request: unknown, call: CallContext) => Answer,
  rewrite: ((request: object) => void) | undefined,
): (request: unknown, call: CallContext) => Answer {
  if (rewrite === undefined) return run;
  return (request, call) => {
    if (typeof request === "object" && request !== null) rewrite(request);
    return run(request, call);
  };
}
