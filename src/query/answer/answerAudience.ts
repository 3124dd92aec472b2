import type { JsonObject } from "@bufbuild/protobuf";
import { audienceKindOf, isPresence } from "../daily/audience.ts";
import { runAudience } from "../daily/runAudience.ts";
import { shownPresence } from "../daily/shownVisitors.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { QueryCall } from "../queryCall.ts";
import { AnswerRefusal } from "../shapes/answerRefusal.ts";
import type { EventRecord } from "../unknown/unknownTimes.ts";
import type { FindVisits } from "../visits/findVisits.ts";
import type { CallReader } from "./callReader.ts";
import { runParameter } from "./runParameter.ts";

/**
 * Answers a parameter about one website that measures its audience only, of which groups with fewer than `smallest` visitors are not shown. Nothing
 * is shown while it is not known of which days. Rejects with AnswerRefusal, and with the driver's error.
 */
export async function answerAudience(
  plan: ParameterPlan,
  smallest: number,
  record: EventRecord | undefined,
  reader: CallReader,
  findVisits: FindVisits,
  app: QueryCall["app"],
): Promise<JsonObject[]> {
  if (isPresence(plan.type)) return shownPresence(plan.type, await runParameter(plan, reader, findVisits), smallest);
  const kind = audienceKindOf(plan);
  if (kind === undefined) throw new Error(`${plan.type.name} is no question about an audience`);
  if (record === undefined)
    throw new AnswerRefusal("It could not be read of which days events are stored. Try again in a few seconds");
  return await runAudience({ plan, kind, smallest, record, reader, findVisits, app });
}
