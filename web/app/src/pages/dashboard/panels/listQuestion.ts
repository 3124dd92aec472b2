import type { LookoutQuery, QueryTypeName } from "../../../../../../packages/client-js/src/query.ts";
import { queryGoal, type Step } from "../view/goal.ts";
import { compared, type Scope } from "../view/question.ts";
import type { View } from "../view/view.ts";
import type { PanelList } from "./panelTypes.ts";

type Asked = { readonly scope: Scope; readonly view: View; readonly goal: Step | undefined };

/** What a list asks: its type with the range, the filters, the comparison and the goal of the view. */
export function listQuestion(
  { type, carriesGoal }: PanelList,
  { scope, view, goal }: Asked,
  limit: number,
): LookoutQuery<readonly [QueryTypeName]> {
  const rates = goal === undefined || carriesGoal !== true ? {} : { goal: queryGoal(goal) };
  return { ...compared(scope, view), ...rates, limit, parameters: [type] };
}
