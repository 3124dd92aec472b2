import { askEarly } from "../../api/earlyAnswers.ts";
import { hasFirstAnswer } from "../../api/pageStart.ts";
import { websites } from "../../api/websites.ts";
import { place } from "../../router/router.ts";
import { firstQuestion } from "./firstQuestion.ts";
import { view } from "./view/currentView.ts";

/** Asks for the key figures before the overview is drawn: until then a slow device takes as long as the answer does. Does nothing where the page has them in it. */
export function askFirst(): void {
  const state = websites.peek();
  const id = place.peek().segments[1];
  const website = state.kind === "loaded" ? state.websites.find((one) => one.id === id) : undefined;
  const question = website === undefined ? undefined : firstQuestion(website, view.peek(), Date.now());
  if (question !== undefined && !hasFirstAnswer(question)) askEarly(question);
}
