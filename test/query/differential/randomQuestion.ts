import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { makeRandomQuery } from "../../kit/oracle/randomQuery.ts";
import type { Question } from "./laws.ts";

/** A range, a zone and filters. */
export function randomQuestion(random: () => number): Question {
  const type = catalogue.get("summary_metrics");
  if (type === undefined) throw new Error("no type summary_metrics");
  const { start, end, zone, filters } = makeRandomQuery(type, random);
  return { start, end, zone, filters };
}
