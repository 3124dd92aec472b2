import type { JsonObject } from "@bufbuild/protobuf";
import type { PoolClient } from "pg";
import { authRequired } from "../access/authorize.ts";
import { changedFields } from "../audit/changedFields.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { OnceCall } from "../idempotency/onceCall.ts";
import { auditedKey, lockKey, type StoredKey } from "./apiKey.ts";

/**
 * Changes a key in the transaction of `client`, with its audit entry. The row is locked first. Other processes see the change
 * within CACHE_MS. Rejects with NOT_FOUND, and with what `change` throws.
 */
export async function changeApiKey(
  client: PoolClient,
  id: string,
  call: OnceCall,
  action: string,
  change: (before: StoredKey) => Promise<StoredKey>,
): Promise<StoredKey> {
  const { caller } = call;
  if (caller === undefined) throw authRequired();
  const before = await lockKey(client, id, caller);
  const key = await change(before);
  const fields: { before: JsonObject; after: JsonObject } | undefined = changedFields(
    auditedKey(before),
    auditedKey(key),
  );
  if (fields !== undefined) await recordAudit(client, call, { action, objectId: key.id, ...fields });
  return key;
}
