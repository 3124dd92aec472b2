import { randomBytes, randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { authRequired } from "../access/authorize.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { CreateWebsiteReply } from "../gen/lookout/services.ts";
import { type CreateWebsiteRequest, WebsiteService } from "../gen/lookout/v1/websites_pb.ts";
import { type Commit, once } from "../idempotency/once.ts";
import { readName } from "../text/readName.ts";
import { answerWebsite } from "./answerWebsite.ts";
import { auditedFields } from "./changeWebsite.ts";
import { readDomain } from "./readDomain.ts";
import { readTimeZone } from "./readTimeZone.ts";
import { type StoredWebsite, storedWebsiteColumns, websiteMessage } from "./website.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/** POST /websites/create: a website of the caller's organization. It accepts events at once. Rejects with VALIDATION_ERROR. */
export const createWebsite = once(WebsiteService.method.createWebsite, make);

async function make(
  request: CreateWebsiteRequest,
  call: WebsiteCall,
  commit: Commit<CreateWebsiteReply>,
): Promise<CreateWebsiteReply> {
  const { caller } = call;
  if (caller === undefined) throw authRequired();
  const name = readName(request.name);
  const domain = readDomain(request.domain);
  const timezone = request.timezone ? readTimeZone(request.timezone) : "UTC";
  const work = async (client: PoolClient) => {
    const { rows } = await client.query<StoredWebsite>(
      `INSERT INTO websites (id, client_id, organization_id, name, domain, timezone, public_access)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${storedWebsiteColumns}`,
      [
        randomUUID(),
        randomBytes(12).toString("base64url"),
        caller.organizationId,
        name,
        domain,
        timezone,
        request.publicAccess ?? false,
      ],
    );
    const [made] = rows;
    if (made === undefined) throw new Error("PostgreSQL did not return the new website");
    await recordAudit(client, call, {
      action: "website.create",
      objectId: made.id,
      websiteId: made.id,
      after: auditedFields(made),
    });
    return made;
  };
  // Whether it is installed already is asked of QuestDB, so after the commit.
  const { made } = await commit(work, (website) => ({ website: websiteMessage(website, "unknown", call) }));
  return await answerWebsite(made, call);
}
