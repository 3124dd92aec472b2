import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { localTime } from "../../figures/days.ts";
import { isNewWebsite } from "./isNewWebsite.ts";
import { keyFiguresQuestion, scopeOf, subjectOf } from "./view/question.ts";
import type { View } from "./view/view.ts";

/**
 * What the overview of a website asks first: its key figures. Undefined where it is not known yet what that will be: since when figures are kept, or whether a
 * new website has any.
 */
export function firstQuestion(website: Pick<Website, "id" | "timezone" | "createdAt">, view: View, nowMs: number) {
  const { id, timezone } = website;
  const isAllTime = "preset" in view.range && view.range.preset === "all";
  if (isAllTime || isNewWebsite(website, nowMs)) return undefined;
  const clock = { nowMs, today: localTime(timezone, nowMs).day, since: undefined };
  return keyFiguresQuestion(scopeOf(view, subjectOf(view, id, timezone), clock), view);
}
