/**
 * A figure in stored form: with 4 decimal places and at most an hour in milliseconds. QuestDB's percentiles fail on a
 * set whose largest and smallest figures are further apart than its histogram covers (approx_percentile, QuestDB
 * 9.3.4), and a single visitor must not be able to break a website's answers.
 */
export function storedFigure(value: number): number {
  return Math.min(Math.round(value * places) / places, most);
}

const places = 10_000;
const most = 3_600_000;
