/** What people say, by the words that types have for it. */
const meanings: Readonly<Record<string, string>> = {
  goal: "sign-up signup signups registration conversion convert order purchase sale revenue money lead",
  exit: "leave abandon quit bounce",
  referrer: "source channel traffic",
  page: "url path article product",
  vitals: "slow speed fast performance lcp inp cls fcp ttfb",
  custom_event: "release deploy rollout annotation",
  devices: "mobile phone desktop tablet",
};

const stopWords: ReadonlySet<string> = new Set(
  "by the of a an and in or where on for per which what do does is are my to how many".split(" "),
);

/** The words of a search in lower case, without plurals, and with the words of types that mean the same. */
export function wordsOf(search: string): readonly string[] {
  const said = search
    .toLowerCase()
    .replace(/sign[ -]ups?/g, "signup")
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== "" && !stopWords.has(word))
    .map((word) => word.replace(/^(slow|fast)(er|est)$/, "$1"))
    .map((word) => (word.length > 4 ? word.replace(/ies$/, "y").replace(/s$/, "") : word));
  return [...new Set([...said, ...said.flatMap(meaningsOf)])];
}

/** The words of types that mean the same as a word. */
export function meaningsOf(one: string): string[] {
  return Object.entries(meanings).flatMap(([word, others]) =>
    others
      .split(" ")
      .some((other) => other === one || (one.length > 3 && (other.startsWith(one) || one.startsWith(other))))
      ? [word]
      : [],
  );
}
