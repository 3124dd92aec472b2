import { validationError } from "../errors/errors.ts";
import type { UpdateWebsiteReply } from "../gen/lookout/services.ts";
import type { UpdateWebsiteRequest } from "../gen/lookout/v1/websites_pb.ts";
import { readName } from "../text/readName.ts";
import { answerWebsite } from "./answerWebsite.ts";
import { changeWebsite } from "./changeWebsite.ts";
import { readDomain } from "./readDomain.ts";
import { readGoals } from "./readGoals.ts";
import { readPaths } from "./readPaths.ts";
import { readPrivacy } from "./readPrivacy.ts";
import { readRules } from "./readRules.ts";
import { readTags } from "./readTags.ts";
import { readTimeZone } from "./readTimeZone.ts";
import { changedGoals, goalsWith } from "./storedGoals.ts";
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
    privacy: request.privacy === undefined ? undefined : JSON.stringify(readPrivacy(request.privacy)),
    tags: request.tags === undefined ? undefined : readTags(request.tags),
    rules: request.rules === undefined ? undefined : JSON.stringify(readRules(request.rules)),
  };
  const sent = request.goals === undefined ? undefined : readGoals(request.goals);
  const clearsFunnels = request.clear.includes("funnels");
  if (clearsFunnels && (sent?.funnels.length ?? 0) > 0)
    throw validationError([{ field: "clear", message: "must not name funnels, since goals.funnels has some" }]);
  const website = await changeWebsite(request.id, call, { name: "website.update" }, async (client, { id, goals }) => {
    const changed = sent === undefined ? goals : changedGoals(goals, sent);
    const kept = clearsFunnels ? goalsWith(changed.goals, []) : changed;
    const isChanged = sent !== undefined || clearsFunnels;
    return {
      website: await updateRow(client, id, { ...columns, goals: isChanged ? JSON.stringify(kept) : undefined }),
    };
  });
  return await answerWebsite(website, call);
}
