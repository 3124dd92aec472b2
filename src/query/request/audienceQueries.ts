import { audienceDetail } from "../../errors/errors.ts";
import { refusedOfAudience } from "../daily/audience.ts";
import type { PlannedParameter, PlannedQuery } from "../plan/planQuery.ts";
import type { Project } from "./project.ts";

/** Queries whose parameters fail alone where a website that they are about measures its audience only and they ask for more. */
export function withAudienceOnly(
  queries: readonly PlannedQuery[],
  { audience, websiteIds }: Project,
): readonly PlannedQuery[] {
  if (audience.size === 0) return queries;
  return queries.map((planned) => {
    const hasGoal = planned.query.goal !== undefined;
    const refused = (parameter: PlannedParameter): PlannedParameter => {
      const { type, work } = parameter;
      const asked = "error" in work ? { bucketUnit: "day" as const, filters: planned.query.filters } : work;
      const error = refusedOfAudience({ ...asked, type }, websiteIds.length, hasGoal);
      return error === undefined ? parameter : { ...parameter, work: { error, detail: audienceDetail } };
    };
    return { ...planned, parameters: planned.parameters.map(refused) };
  });
}
