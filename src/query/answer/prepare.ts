import type { TimeRange } from "../../time/dates.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { prepareEngagement, prepareScrollDepths } from "../shapes/engagement.ts";
import { prepareEventList } from "../shapes/eventList.ts";
import { prepareMeasured } from "../shapes/measuredAnswer.ts";
import { prepareProfileDetail, prepareProfileList } from "../shapes/profileAnswers.ts";
import { prepareEventProperties } from "../shapes/propertyAnswers.ts";
import { prepareRetentionCohorts, prepareRetentionRate } from "../shapes/retention.ts";
import { prepareList } from "../shapes/rowList.ts";
import { prepareSessionDurations } from "../shapes/sessionDurations.ts";
import { prepareSessionList } from "../shapes/sessionListAnswer.ts";
import { prepareSplitSeries } from "../shapes/splitSeries.ts";
import { prepareToolNames } from "../shapes/toolNames.ts";
import { prepareLiveSessions } from "../sql/liveSessions.ts";
import { preparePageVisits } from "../sql/pageVisits.ts";
import { ambiguousRangesOf, ambiguousRangesStatement } from "../stored/ambiguousSessions.ts";
import { liveRangesOf, minRangeMs } from "../stored/liveRanges.ts";
import { boundsStatement, storedSessionsOf } from "../stored/storedSessions.ts";
import { ambiguityOf, usesStoredSessions } from "../stored/storedTypes.ts";
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
  event_list: prepareEventList,
  tool_names: prepareToolNames,
  live_sessions: prepareLiveSessions,
};

/** The statements and rows that answer a parameter. Pure: the same plan always gives the same statements. */
export function prepare(plan: ParameterPlan): PreparedAnswer {
  return preparers[plan.type.shape.kind](plan);
}

/**
 * Whether it is worth asking which stored sessions are settled. With filters sessions are always computed from events.
 */
export function wantsStoredSessions(plan: ParameterPlan): boolean {
  const { range, filters } = plan;
  return filters.length === 0 && range.endMs - range.startMs >= minRangeMs && usesStoredSessions(plan);
}

/**
 * The same answer with stored sessions wherever they save time. `unsettled` are the dirty ranges, where stored sessions
 * may differ from their events.
 */
export function prepareWithStored(plan: ParameterPlan, unsettled: readonly TimeRange[]): PreparedAnswer {
  const liveRanges = liveRangesOf(plan.range, unsettled);
  if (liveRanges === undefined) return prepare(plan);
  const ambiguity = ambiguityOf(plan);
  return {
    statements: [
      boundsStatement(plan, liveRanges),
      ...(ambiguity === undefined ? [] : [ambiguousRangesStatement(plan, liveRanges, ambiguity)]),
    ],
    rows: ([bounds = [], ambiguousRows = []]) => {
      const stored = storedSessionsOf(plan, liveRanges, bounds, ambiguousRangesOf(ambiguousRows, plan.range));
      return prepare(stored === undefined ? plan : { ...plan, stored });
    },
  };
}
