import type { JsonObject } from "@bufbuild/protobuf";
import type { PoolClient } from "pg";
import type { CallContext } from "../gateway/callContext.ts";
import { withoutSecrets } from "./withoutSecrets.ts";

/** A change of an object. `before` is null for what was made, `after` for what is gone; else both hold the changed fields. */
export type Change = {
  /** Object and verb, such as website.update. */
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  /** Null for what belongs to the organization. */
  readonly websiteId: string | null;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
};

/**
 * Notes in the audit log who changes what. Part of the transaction that makes the change, so neither is there without the other. Values
 * of fields whose names tell of secrets are hidden.
 */
export async function recordAudit(
  client: PoolClient,
  { caller, requestId }: Pick<CallContext, "caller" | "requestId">,
  { action, objectType, objectId, websiteId, before, after }: Change,
): Promise<void> {
  if (caller === undefined) throw new Error(`${action} was done by nobody`);
  await client.query(
    `INSERT INTO audit_log (organization_id, actor_type, actor_id, action, object_type, object_id, website_id, before, after, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      caller.organizationId,
      caller.kind === "key" ? "api_key" : "user",
      caller.kind === "key" ? caller.keyId : caller.userId,
      action,
      objectType,
      objectId,
      websiteId,
      before === null ? null : JSON.stringify(withoutSecrets(before)),
      after === null ? null : JSON.stringify(withoutSecrets(after)),
      requestId,
    ],
  );
}
