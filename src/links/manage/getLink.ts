import type { GetLinkReply } from "../../gen/lookout/services.ts";
import type { GetLinkRequest } from "../../gen/lookout/v1/links_pb.ts";
import type { LinkCall } from "../linkCall.ts";
import { answerLink } from "./answerLink.ts";
import { findLink } from "./findLink.ts";

/** POST /links/get: one link. Rejects with NOT_FOUND. */
export async function getLink({ id }: GetLinkRequest, call: LinkCall): Promise<GetLinkReply> {
  return await answerLink(await findLink(call.app.postgres, id, call.caller), call);
}
