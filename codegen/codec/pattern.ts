/**
 * The allowed patterns of rules. Protovalidate runs them with RE2, the codecs with RegExp, which is not linear-time and
 * differs in some classes: only patterns with the same meaning in both that cannot take exponential time are allowed.
 */

/** The longest text, in characters, that a pattern with several unbounded quantifiers may be run on. */
const maxBacktrackedCharacters = 4096;

/**
 * Why this pattern is not allowed, or undefined. `maxLength` is the field's max_len, which is checked before the pattern.
 */
export function patternProblem(pattern: string, maxLength: number | undefined): string | undefined {
  try {
    new RegExp(pattern, "u");
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
  if (!pattern.startsWith("^") || !pattern.endsWith("$")) return "must be anchored with ^ and $";
  if (/\(\?(?!:)/.test(pattern)) return "must have no lookaround, flags or named groups";
  const bare = pattern.replace(/\\[^\d]|\[(?:\\.|[^\]\\])*\]/gu, "x");
  if (/\\[1-9]/.test(bare)) return "must have no backreference";
  if (bare.includes(".")) return "must name a class instead of a dot, which RE2 and RegExp read differently";
  if (/\\[sSbB]/.test(pattern)) return "must have no \\s or \\b, which RE2 and RegExp read differently";
  if (/(?:[*+?]|\{\d+(?:,\d*)?\})[^()]*\)(?:[*+]|\{)/.test(bare)) return "must have no quantifier around a quantifier";
  if (/\)\)+(?:[*+?]|\{)/.test(bare)) return "must have no quantifier around nested groups";
  const unbounded = bare.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  if (unbounded > 1 && !(maxLength !== undefined && maxLength <= maxBacktrackedCharacters)) {
    return `repeats without bound more than once, which needs max_len of at most ${maxBacktrackedCharacters}`;
  }
  return undefined;
}
