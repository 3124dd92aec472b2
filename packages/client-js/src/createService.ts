import type { DescService } from "@bufbuild/protobuf";
import { type CallOptions, type Client, createClient, type Transport } from "@connectrpc/connect";
import { LookoutError } from "./lookoutError.ts";
import { toLookoutError } from "./toLookoutError.ts";

export type ServiceOptions = {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly timeoutMs: number;
};

type Call = (request: unknown, options?: CallOptions) => unknown;

/**
 * The generated client of a service, whose calls time out and throw a LookoutError. A stream may last, but its first
 * message must arrive in time.
 */
export function createService<T extends DescService>(service: T, options: ServiceOptions): Client<T> {
  const generated = createClient(service, options.transport) as Record<string, Call>;
  const calls = service.methods.map(({ localName, methodKind }) => {
    const call = generated[localName] as Call;
    return [localName, methodKind === "unary" ? unary(call, options) : streaming(call, options)];
  });
  // Object.fromEntries forgets the names of the keys.
  return Object.fromEntries(calls) as Client<T>;
}

function unary(call: Call, { baseUrl, timeoutMs }: ServiceOptions): Call {
  return async (request, options) => {
    try {
      return await call(request, { timeoutMs, ...options });
    } catch (error) {
      throw toLookoutError(error, baseUrl);
    }
  };
}

function streaming(call: Call, { baseUrl, timeoutMs }: ServiceOptions): Call {
  return async function* (request, options) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), options?.timeoutMs ?? timeoutMs);
    const signal = options?.signal === undefined ? late.signal : AbortSignal.any([late.signal, options.signal]);
    try {
      for await (const message of call(request, { ...options, signal }) as AsyncIterable<unknown>) {
        clearTimeout(timer);
        yield message;
      }
    } catch (error) {
      if (late.signal.aborted)
        throw new LookoutError("TIMEOUT", `${baseUrl} sent nothing in time. Try again, or allow more with timeoutMs`);
      throw toLookoutError(error, baseUrl);
    } finally {
      clearTimeout(timer);
      late.abort();
    }
  };
}
