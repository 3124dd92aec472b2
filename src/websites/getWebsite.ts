import type { GetWebsiteReply } from "../gen/lookout/services.ts";
import type { GetWebsiteRequest } from "../gen/lookout/v1/websites_pb.ts";
import { answerWebsite } from "./answerWebsite.ts";
import { findWebsite } from "./findWebsite.ts";
import type { WebsiteCall } from "./websiteCall.ts";

/** POST /websites/get: a website, including deleted ones for 90 days. Rejects with NOT_FOUND. */
export async function getWebsite({ id }: GetWebsiteRequest, call: WebsiteCall): Promise<GetWebsiteReply> {
  return await answerWebsite(await findWebsite(call.app.postgres, id, call.caller), call);
}
