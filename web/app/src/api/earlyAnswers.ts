import type { LookoutQuery, Parameter, QueryAnswer } from "../../../../packages/client-js/src/query.ts";
import { query } from "./client.ts";

const answers = new Map<string, Promise<QueryAnswer<readonly Parameter[]>>>();

/** Sends a question before the part that asks it is drawn. */
export function askEarly(question: LookoutQuery): void {
  const answer = query(question);
  answers.set(JSON.stringify(question), answer);
  // Whoever asks the question is told.
  answer.catch(() => undefined);
}

/** The answer to a question that was sent early, once; undefined if it was not. */
export function takeEarlyAnswer<P extends readonly Parameter[]>(
  question: LookoutQuery<P>,
): Promise<QueryAnswer<P>> | undefined {
  const key = JSON.stringify(question);
  const answer = answers.get(key);
  answers.delete(key);
  return answer as Promise<QueryAnswer<P>> | undefined;
}

/** Forgets the answers that nobody has taken: they become stale. */
export function dropEarlyAnswers(): void {
  answers.clear();
}
