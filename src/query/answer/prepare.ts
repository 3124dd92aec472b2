import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { prepareEngagement, prepareScrollDepths } from "../shapes/engagement.ts";
import { prepareEventList } from "../shapes/eventList.ts";
import { prepareGoalConversions } from "../shapes/goalConversions.ts";
import { prepareLiveSessions } from "../shapes/liveSessions.ts";
import { prepareMeasured } from "../shapes/measuredAnswer.ts";
import { preparePageVisits } from "../shapes/pageVisits.ts";
import { prepareProfileDetail, prepareProfileList } from "../shapes/profileAnswers.ts";
import { prepareEventProperties } from "../shapes/propertyAnswers.ts";
import { prepareRetentionCohorts, prepareRetentionRate } from "../shapes/retention.ts";
import { prepareList } from "../shapes/rowList.ts";
import { prepareSessionDurations } from "../shapes/sessionDurations.ts";
import { prepareSessionList } from "../shapes/sessionListAnswer.ts";
import { prepareSplitSeries } from "../shapes/splitSeries.ts";
import { prepareToolNames } from "../shapes/toolNames.ts";
import type { PreparedAnswer } from "./preparedAnswer.ts";

/** How each shape is answered. A new shape is one more entry here and one file with its statements and rows. */
const preparers: Readonly<Record<QueryType["shape"]["kind"], (plan: ParameterPlan) => PreparedAnswer>> = {
  summary: prepareMeasured,
  series: prepareMeasured,
  split_series: prepareSplitSeries,
  table: prepareMeasured,
  session_durations: prepareSessionDurations,
  session_list: prepareSessionList,
  profile_list: prepareProfileList,
  profile_detail: prepareProfileDetail,
  page_visits: preparePageVisits,
  engagement: prepareEngagement,
  scroll_depths: prepareScrollDepths,
  retention_cohorts: prepareRetentionCohorts,
  retention_rate: prepareRetentionRate,
  event_properties: prepareEventProperties,
  list: prepareList,
  goal_conversions: prepareGoalConversions,
  event_list: prepareEventList,
  tool_names: prepareToolNames,
  live_sessions: prepareLiveSessions,
};

/** The statements and rows that answer a parameter. Pure: the same plan always gives the same statements. */
export function prepare(plan: ParameterPlan): PreparedAnswer {
  return preparers[plan.type.shape.kind](plan);
}
