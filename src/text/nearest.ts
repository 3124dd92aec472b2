import { distance } from "fastest-levenshtein";

/**
 * The candidate that was probably meant: the smallest Levenshtein distance, at most a third of the word's length (and
 * at least 2, so that short words can be corrected). Undefined when none is close. Case and the separators "_", "-" and
 * " " do not count.
 */
export function nearest(given: string, candidates: Iterable<string>): string | undefined {
  // A word far longer than any name cannot be close to one, and computing the distance takes time in its length.
  if (given.length > 64) return undefined;
  const plain = fold(given);
  let best: string | undefined;
  let least = Math.max(2, Math.floor(plain.length / 3)) + 1;
  for (const candidate of candidates) {
    const far = distance(plain, fold(candidate));
    if (far < least) {
      least = far;
      best = candidate;
    }
  }
  return best;
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[_\- ]/g, "");
}
