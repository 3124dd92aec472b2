import { askEarly } from "../../api/earlyAnswers.ts";
import { websites } from "../../api/websites.ts";
import { localTime } from "../../figures/days.ts";
import { place } from "../../router/router.ts";
import { isNewWebsite } from "./isNewWebsite.ts";
import { view as currentView } from "./view/currentView.ts";
import { keyFiguresQuestion, scopeOf, subjectOf } from "./view/question.ts";

/**
 * Asks for the key figures before the overview is drawn: until then a slow device takes as long as the answer does. Does nothing where it is not known yet
 * what the overview will ask: since when figures are kept, or whether a new website has any.
 */
export function askFirst(): void {
  const state = websites.peek();
  const id = place.peek().segments[1];
  const website = state.kind === "loaded" ? state.websites.find((one) => one.id === id) : undefined;
  const view = currentView.peek();
  const nowMs = Date.now();
  const isAllTime = "preset" in view.range && view.range.preset === "all";
  if (website === undefined || isAllTime || isNewWebsite(website, nowMs)) return;
  const { timezone } = website;
  const clock = { nowMs, today: localTime(timezone, nowMs).day, since: undefined };
  askEarly(keyFiguresQuestion(scopeOf(view, subjectOf(view, website.id, timezone), clock), view));
}
