import type { JsonObject } from "@bufbuild/protobuf";
import type { PoolClient } from "pg";
import type { CallContext } from "../call/callContext.ts";
import { withoutSecrets } from "./withoutSecrets.ts";

/**
 * A change of an object. A new object has no `before`, a deleted one no `after`; else both hold the changed fields.
 */
export type Change = {
  /** Object and verb, such as website.update. */
  readonly action: string;
  /** By default the object that the action names. */
  readonly objectType?: string;
  readonly objectId: string;
  /** None for objects of the organization. */
  readonly websiteId?: string | null;
  readonly before?: JsonObject | null;
  readonly after?: JsonObject | null;
};

/**
 * Writes a change to the audit log. Part of the transaction that makes the change, so neither exists without the other.
 * Values of fields with secret names are hidden.
 */
export async function recordAudit(
  client: PoolClient,
  { caller, requestId }: Pick<CallContext, "caller" | "requestId">,
  change: Change,
): Promise<void> {
  if (caller === undefined) throw new Error(`${change.action} has no caller`);
  const actor = caller.kind === "key" ? { type: "api_key", id: caller.keyId } : { type: "user", id: caller.userId };
  await insertEntry(client, actor, { organizationId: caller.organizationId, requestId }, change);
}

/** The organization of a change, and the request that caused it. */
type Origin = { readonly organizationId: string; readonly requestId: string };

/** Audits what a person did, in one of their organizations: also without a session, such as with a mailed link. */
export async function recordPersonAudit(
  client: PoolClient,
  userId: string,
  origin: Origin,
  change: Change,
): Promise<void> {
  await insertEntry(client, { type: "user", id: userId }, origin, change);
}

/** Audits an action of the service itself, as part of something requested before or because it is due. */
export async function recordServiceAudit(client: PoolClient, origin: Origin, change: Change): Promise<void> {
  await insertEntry(client, { type: "service", id: "lookout" }, origin, change);
}

/** Audits an action authorised by a signed URL; the object identifies the URL. */
export async function recordSignedUrlAudit(client: PoolClient, origin: Origin, change: Change): Promise<void> {
  await insertEntry(client, { type: "signed_url", id: change.objectId }, origin, change);
}

async function insertEntry(
  client: PoolClient,
  actor: { readonly type: string; readonly id: string },
  { organizationId, requestId }: Origin,
  { action, objectType = action.split(".", 1)[0], objectId, websiteId = null, before = null, after = null }: Change,
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
