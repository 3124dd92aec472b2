import { create, type DescMethod, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { isOfQueue } from "../createLookout.ts";
import { serviceDescriptors } from "../services.ts";
import { plainRequest } from "./plainRequest.ts";
import type { SentEvent, TestCall } from "./testAnswers.ts";

const serviceNames: ReadonlyMap<string, string> = new Map(
  Object.entries(serviceDescriptors).map(([name, { typeName }]) => [typeName, name]),
);

/** The calls of a test double, and the events that were sent, in their order. */
export class RecordedCalls {
  readonly calls: TestCall[] = [];
  /** Events that the queue has sent. */
  readonly sentEvents: SentEvent[] = [];
  readonly #written = new WeakMap<object, unknown>();

  /** The message of a request, of which its plain form is remembered: the message itself also has defaults, which the caller did not write. */
  readonly request = (method: DescMethod, init: unknown): Message => {
    const message = create(method.input, init as MessageInitShape<typeof method.input>);
    this.#written.set(message, plainRequest(method.input, init));
    return message;
  };

  /** Records each call with the headers that other interceptors have given it. */
  readonly interceptor: Interceptor = (next) => async (request) => {
    const isProgram = !request.contextValues.get(isOfQueue);
    const record = (message: Message) => this.#record(request.method, message, request.header, isProgram);
    if (!request.stream) record(request.message);
    return await next(request.stream ? { ...request, message: eachOf(request.message, record) } : request);
  };

  /** The queue sends events when it wants to, so what it sends is in sentEvents only. */
  #record(method: DescMethod, message: Message, header: Headers, isProgram: boolean): void {
    const call = `${serviceNames.get(method.parent.typeName)}.${method.localName}`;
    const request = this.#written.get(message) ?? plainRequest(method.input, message);
    // The name of the call and its request belong together.
    if (isProgram) this.calls.push({ call, request, headers: new Headers(header) } as TestCall);
    if (call !== "ingest.batch") return;
    const { events = [] } = request as {
      readonly events?: readonly { readonly payload?: { readonly value: SentEvent } }[];
    };
    for (const { payload } of events) if (payload !== undefined) this.sentEvents.push(payload.value);
  }
}

async function* eachOf<T>(items: AsyncIterable<T>, tell: (item: T) => void): AsyncGenerator<T, void> {
  for await (const item of items) {
    tell(item);
    yield item;
  }
}
