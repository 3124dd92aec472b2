import { detail, type Problems } from "../../errors/problems.ts";
import type { Field } from "../sql/fields.ts";
import { type Attribution, isOfSource } from "../visits/attributedVisits.ts";

/** The attribution of a request; one that changes nothing is reported. */
export function readAttribution(
  word: string | undefined,
  split: Field | undefined,
  where: string,
  problems: Problems,
): Attribution {
  if (word !== "last_non_direct") return "visit";
  if (split === undefined || !isOfSource(split))
    problems.add(
      detail(where, "changes splits by a source only (referrer…, traffic_source, utm_…); leave it out or split by one"),
    );
  return word;
}

/** What an answer with an attribution must say; `where` is its field. */
export function attributionHints(attribution: string | undefined, where: string) {
  if (attribution !== "last_non_direct") return [];
  const message =
    "finds earlier visits by the visitor's id only: ids that live a day, which is the default, connect visits of one day, so that the share of direct visits is too large";
  return [{ field: where, message }];
}
