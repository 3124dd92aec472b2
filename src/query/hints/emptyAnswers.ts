import type { AnsweredQueries } from "../answer/answerQueries.ts";
import type { AnsweredParameter } from "../answer/queryAnswer.ts";

/** Which parameters of a call were answered with nothing: known as soon as their answers were taken. */
export class EmptyAnswers {
  readonly #found: boolean[] = [];

  /** The same answers, of which it is noted whether they are empty. */
  noting(answers: AnsweredQueries): AnsweredQueries {
    const found = this.#found;
    return async function* (shape) {
      const noted = answers(async (answered) => ({ isEmpty: isEmpty(answered), shaped: await shape(answered) }));
      for await (const { isEmpty, shaped } of noted) {
        found.push(isEmpty);
        yield shaped;
      }
    };
  }

  /** Whether all of so many parameters from a place on are. */
  are(first: number, count: number): boolean {
    const ofQuery = this.#found.slice(first, first + count);
    return ofQuery.length > 0 && ofQuery.every((isEmpty) => isEmpty);
  }
}

/** Whether no row has a number but 0. What could not be answered says why itself. */
function isEmpty({ outcome, fields }: AnsweredParameter): boolean {
  if (!("rows" in outcome)) return false;
  const numbers = fields.filter(({ type }) => type === "number").map(({ name }) => name);
  if (numbers.length === 0) return outcome.rows.length === 0;
  return outcome.rows.every((row) => numbers.every((name) => !Number(row[name])));
}
