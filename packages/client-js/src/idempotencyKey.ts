import type { DescMethod } from "@bufbuild/protobuf";

const headerName = "idempotency-key";
const fieldName = "idempotency_key";

/**
 * The headers of a call with an idempotency key, by which the service makes a thing once however often the call arrives. `hasKey` says
 * whether the call has one: its own in `headers` or in the request, or a random one. Calls that make nothing have none.
 */
export function withIdempotencyKey(
  method: DescMethod,
  request: unknown,
  headers: HeadersInit | undefined,
): { readonly headers: HeadersInit | undefined; readonly hasKey: boolean } {
  const field = method.input.fields.find(({ name }) => name === fieldName);
  if (field === undefined) return { headers, hasKey: false };
  const own: unknown =
    typeof request === "object" && request !== null ? Reflect.get(request, field.localName) : undefined;
  if (typeof own === "string" && own !== "") return { headers, hasKey: true };
  const all = new Headers(headers);
  if (!all.has(headerName)) all.set(headerName, crypto.randomUUID());
  return { headers: all, hasKey: true };
}
