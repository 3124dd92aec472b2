import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallContext } from "../gateway/callContext.ts";
import type { SetRetentionRequest, SetRetentionResponseSchema } from "../gen/lookout/v1/websites_pb.ts";
import { answerWebsite } from "./answerWebsite.ts";
import { changeWebsite } from "./changeWebsite.ts";
import { updateRow } from "./updateRow.ts";

/** POST /websites/retention (specification part 8): periods that are left out stay as they are. Rejects with NOT_FOUND. */
export async function setRetention(
  { id, retention }: SetRetentionRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof SetRetentionResponseSchema>> {
  const columns = {
    raw_events_days: retention?.rawEventsDays,
    aggregated_days: retention?.aggregatedDays,
    performance_days: retention?.performanceDays,
    custom_events_days: retention?.customEventsDays,
  };
  const website = await changeWebsite(id, call, { name: "website.retention" }, async (client, before) => ({
    website: await updateRow(client, before.id, columns),
  }));
  return await answerWebsite(website, call);
}
