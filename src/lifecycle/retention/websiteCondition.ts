import { noWebsite } from "../../retention/websitePeriods.ts";

/**
 * The condition that a row belongs to one of these websites, whose ids it adds to `values`; `noWebsite` matches rows
 * without a website. Undefined without any.
 */
export function websiteCondition(websiteIds: readonly string[], values: (string | number)[]): string | undefined {
  const named = websiteIds.filter((id) => id !== noWebsite).map((id) => `$${values.push(id)}`);
  const conditions = [
    ...(named.length > 1 ? [`website_id IN (${named.join(", ")})`] : []),
    // QuestDB reads a list of one bound value as an array.
    ...(named.length === 1 ? [`website_id = ${named[0]}`] : []),
    ...(websiteIds.includes(noWebsite) ? ["website_id IS NULL"] : []),
  ];
  return conditions.length === 0 ? undefined : `(${conditions.join(" OR ")})`;
}
