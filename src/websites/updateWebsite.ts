import type { UpdateWebsiteReply } from "../gen/lookout/services.ts";
import type { UpdateWebsiteRequest } from "../gen/lookout/v1/websites_pb.ts";
import { readName } from "../text/readName.ts";
import { answerWebsite } from "./answerWebsite.ts";
import { changeWebsite } from "./changeWebsite.ts";
import { readDomain } from "./readDomain.ts";
import { readGoals } from "./readGoals.ts";
import { readPaths } from "./readPaths.ts";
import { readTimeZone } from "./readTimeZone.ts";
import { updateRow } from "./updateRow.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/**
 * POST /websites/update (specification 4.15): fields left out stay as they are, and `updatedAt` is set. Simultaneous
 * updates are all applied.
 *
 * Rejects with VALIDATION_ERROR, and with NOT_FOUND, also for a deleted website.
 */
export async function updateWebsite(request: UpdateWebsiteRequest, call: WebsiteCall): Promise<UpdateWebsiteReply> {
  const columns = {
    name: request.name === undefined ? undefined : readName(request.name),
    domain: request.domain === undefined ? undefined : readDomain(request.domain),
    timezone: request.timezone === undefined ? undefined : readTimeZone(request.timezone),
    public_access: request.publicAccess,
    paths: request.paths === undefined ? undefined : JSON.stringify(readPaths(request.paths)),
    goals: request.goals === undefined ? undefined : JSON.stringify(readGoals(request.goals)),
  };
  const website = await changeWebsite(request.id, call, { name: "website.update" }, async (client, { id }) => ({
    website: await updateRow(client, id, columns),
  }));
  return await answerWebsite(website, call);
}
