import { within } from "../../concurrency/within.ts";
import type { StoredGoals } from "../../websites/storedGoals.ts";
import { isAboutGoals } from "../catalogue/goalTypes.ts";
import { type Goal, goalOfWebsite } from "../goals/goal.ts";
import type { PlannedParameter, PlannedQuery } from "../plan/planQuery.ts";
import type { QueryCall } from "../queryCall.ts";
import type { Project } from "./project.ts";

/**
 * Queries with the website's own goals where a parameter is about goals and the query has none. Such parameters fail alone where the goals
 * cannot be known.
 */
export async function withGoalsOfWebsite(
  queries: readonly PlannedQuery[],
  { websiteIds }: Project,
  call: QueryCall,
): Promise<readonly PlannedQuery[]> {
  if (!queries.some(({ parameters }) => parameters.some(lacksGoals))) return queries;
  const found = await findGoals(websiteIds, call);
  const filled = (parameter: PlannedParameter): PlannedParameter => {
    if (!lacksGoals(parameter) || "error" in parameter.work) return parameter;
    return { ...parameter, work: "error" in found ? found : { ...parameter.work, goals: found.goals } };
  };
  return queries.map((query) => ({ ...query, parameters: query.parameters.map(filled) }));
}

function lacksGoals({ type, work }: PlannedParameter): boolean {
  return isAboutGoals(type) && !("error" in work) && work.goals === undefined;
}

type Found = { readonly goals: readonly Goal[] } | { readonly error: string };

async function findGoals(websiteIds: readonly string[], { app, requestId }: QueryCall): Promise<Found> {
  const [websiteId] = websiteIds;
  if (websiteId === undefined || websiteIds.length > 1)
    return { error: "Only a single website has goals of its own. Send website_id, or a goal in the query" };
  try {
    const read = app.postgres.query<{ goals: StoredGoals }>({
      name: "goals of a website",
      text: "SELECT goals FROM websites WHERE id = $1",
      values: [websiteId],
    });
    const { rows } = await within(app.config.postgres.lookUpTimeoutMs, read);
    return { goals: (rows[0]?.goals.goals ?? []).flatMap((goal) => goalOfWebsite(goal) ?? []) };
  } catch (error) {
    app.log.warn({ requestId, err: error }, "the goals of a website could not be read");
    return {
      error: "The goals of the website could not be read. Try again in a few seconds, or send a goal in the query",
    };
  }
}
