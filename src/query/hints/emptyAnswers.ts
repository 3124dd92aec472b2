import type { AnsweredQueries } from "../answer/answerQueries.ts";
import type { AnsweredParameter } from "../answer/queryAnswer.ts";

/** The same answers, of which `found` gets whether they are empty, as soon as they are taken. */
export function notingEmpty(answers: AnsweredQueries, found: boolean[]): AnsweredQueries {
  return async function* (shape) {
    const noted = answers(async (answered) => ({ isEmpty: isEmpty(answered), shaped: await shape(answered) }));
    for await (const { isEmpty, shaped } of noted) {
      found.push(isEmpty);
      yield shaped;
    }
  };
}

/** Whether no row has a number but 0. What could not be answered says why itself. */
function isEmpty({ outcome, fields }: AnsweredParameter): boolean {
  if (!("rows" in outcome)) return false;
  const numbers = fields.filter(({ type }) => type === "number").map(({ name }) => name);
  if (numbers.length === 0) return outcome.rows.length === 0;
  return outcome.rows.every((row) => numbers.every((name) => !Number(row[name])));
}
