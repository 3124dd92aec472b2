import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { makeRandomQuery } from "../../kit/oracle/randomQuery.ts";
import { operatorsOfLaws, type Question } from "./laws.ts";

/** A range, a zone and filters; the first filter has an opposite. */
export function randomQuestion(random: () => number): Question {
  const type = catalogue.get("summary_metrics");
  if (type === undefined) throw new Error("no type summary_metrics");
  for (;;) {
    const { start, end, zone, filters } = makeRandomQuery(type, random);
    if (filters.every(({ op }) => operatorsOfLaws.includes(op))) return { start, end, zone, filters };
  }
}
