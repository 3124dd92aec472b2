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
  change: Change,
): Promise<void> {
  if (caller === undefined) throw new Error(`${change.action} was done by nobody`);
  const actor = caller.kind === "key" ? { type: "api_key", id: caller.keyId } : { type: "user", id: caller.userId };
  await insertEntry(client, actor, { organizationId: caller.organizationId, requestId }, change);
}

/** What a change belongs to: an organization, and the request that asked for it. */
type Origin = { readonly organizationId: string; readonly requestId: string };

/** Notes what the service itself does in the course of something that was asked for before, or because it is due. */
export async function recordServiceAudit(client: PoolClient, origin: Origin, change: Change): Promise<void> {
  await insertEntry(client, { type: "service", id: "lookout" }, origin, change);
}

/** Notes what was done by whoever has a signed address; the address is known by the object it is of. */
export async function recordSignedUrlAudit(client: PoolClient, origin: Origin, change: Change): Promise<void> {
  await insertEntry(client, { type: "signed_url", id: change.objectId }, origin, change);
}

async function insertEntry(
  client: PoolClient,
  actor: { readonly type: string; readonly id: string },
  { organizationId, requestId }: Origin,
  { action, objectType, objectId, websiteId, before, after }: Change,
): Promise<void> {
  await client.query(
    `INSERT INTO audit_log (organization_id, actor_type, actor_id, action, object_type, object_id, website_id, before, after, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      organizationId,
      actor.type,
      actor.id,
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
