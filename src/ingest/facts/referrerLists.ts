import { readFileSync } from "node:fs";

/** The public lists of hosts in third_party/referrers, whose first lines say where they come from and of which day they are. */
export type ReferrerList = "search" | "social" | "ai" | "spam";

/** The hosts of a list, in lower case and without `www.` `{}` stands for a country. */
export function readReferrerList(name: ReferrerList): ReadonlySet<string> {
  const text = readFileSync(new URL(`../../../third_party/referrers/${name}.txt`, import.meta.url), "utf8");
  return new Set(text.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
}

/** Whether a list has this very host, perhaps of any country: `google.{}` for google.co.uk, `{}.search.yahoo.com` for de.search.yahoo.com. */
export function isListed(host: string, list: ReadonlySet<string>): boolean {
  return (
    list.has(host) ||
    list.has(host.replace(countryAtEnd, ".{}")) ||
    (countryAtStart.test(host) && list.has(host.replace(countryAtStart, "{}.")))
  );
}

const countryAtEnd = /\.(?:(?:com|org|net|co|it|edu)\.)?[a-z]{2}$/;
const countryAtStart = /^[a-z]{2}\./;
