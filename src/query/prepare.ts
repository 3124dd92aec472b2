import type { QueryType } from "./catalogue/queryType.ts";
import { prepareMeasured } from "./measuredAnswer.ts";
import type { ParameterPlan } from "./parameterPlan.ts";
import type { PreparedAnswer } from "./preparedAnswer.ts";

/** What prepares the answers of each shape. A new shape is one more entry and one file that makes its statements and rows. */
const preparers: Readonly<Record<QueryType["shape"]["kind"], (plan: ParameterPlan) => PreparedAnswer>> = {
  summary: prepareMeasured,
  series: prepareMeasured,
  table: prepareMeasured,
};

/** The statements and rows that answer a parameter. Pure: the same plan always gives the same statements. */
export function prepare(plan: ParameterPlan): PreparedAnswer {
  return preparers[plan.type.shape.kind](plan);
}
