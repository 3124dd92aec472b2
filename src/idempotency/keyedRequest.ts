import { createHash } from "node:crypto";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { Caller } from "../call/caller.ts";
import { codecOf } from "../call/codecOf.ts";

/** A request with an idempotency key, as hashes. */
export type KeyedRequest = {
  /** Names the key: the same for the same caller, organization, call and key. */
  readonly id: string;
  /** Of all fields but the key: the same for the same request, over JSON and gRPC. */
  readonly fingerprint: string;
};

/**
 * `acrossOrganizations` is for calls after which a person's session is in another organization: a repeat must find the key
 * of the first call.
 */
export function keyedRequest(
  method: DescMethodUnary,
  request: object,
  { key, caller, acrossOrganizations }: { key: string; caller: Caller; acrossOrganizations: boolean },
): KeyedRequest {
  const who = caller.kind === "key" ? `key ${caller.keyId}` : `user ${caller.userId}`;
  const where = acrossOrganizations ? "" : caller.organizationId;
  const rpc = `${method.parent.typeName}.${method.name}`;
  const fields = JSON.parse(codecOf(method.input).write({ ...request, idempotencyKey: undefined }));
  return { id: hash([who, where, rpc, key]), fingerprint: hash(inOrder(fields)) };
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}

/** With the members of objects sorted: some clients write the entries of a map in another order each time. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, inOrder(member)]);
}
