import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { prepareEngagement } from "./engagement.ts";
import { prepareEventList } from "./eventList.ts";
import { prepareGoalConversions } from "./goalConversions.ts";
import { prepareLiveSessions } from "./liveSessions.ts";
import { prepareMeasured } from "./measuredAnswer.ts";
import { preparePageVisits } from "./pageVisits.ts";
import { prepareProfileDetail, prepareProfileList } from "./profileAnswers.ts";
import { prepareEventProperties } from "./propertyAnswers.ts";
import { prepareRetentionCohorts, prepareRetentionRate } from "./retention.ts";
import { prepareList } from "./rowList.ts";
import { prepareSessionList } from "./sessionListAnswer.ts";
import { prepareScrollDepths, prepareSessionDurations } from "./sessionRanges.ts";
import { prepareSplitSeries } from "./splitSeries.ts";
import { prepareToolNames } from "./toolNames.ts";
import { prepareWebsitesToday } from "./websitesToday.ts";
import { prepareWebsitesTrend } from "./websitesTrend.ts";
import { prepareWebsitesUptime } from "./websitesUptime.ts";

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
  websites_today: prepareWebsitesToday,
  websites_trend: prepareWebsitesTrend,
  websites_uptime: prepareWebsitesUptime,
};

/** The statements and rows that answer a parameter. Pure: the same plan always gives the same statements. */
export function prepare(plan: ParameterPlan): PreparedAnswer {
  return preparers[plan.type.shape.kind](plan);
}
