import { isStoreUnavailable } from "../../store/storeUnavailable.ts";
import type { Link } from "../link.ts";
import type { LinkCall } from "../linkCall.ts";

/** Links per statement: each is a bound value. */
const linksAtOnce = 200;

/**
 * How often each link was clicked, by its id; links without a click are missing. Undefined while the event store does
 * not answer: links can still be managed.
 */
export async function clickCounts(
  links: readonly Pick<Link, "id" | "organizationId">[],
  { questdb, log }: Pick<LinkCall["app"], "questdb" | "log">,
): Promise<ReadonlyMap<string, number> | undefined> {
  const counts = new Map<string, number>();
  // All of one organization.
  const reader = questdb.of(links[0]?.organizationId ?? "");
  try {
    for (let start = 0; start < links.length; start += linksAtOnce) {
      const ids = links.slice(start, start + linksAtOnce).map(({ id }) => id);
      const places = ids.map((_, index) => `$${index + 1}`).join(", ");
      const rows = await reader.read(
        `SELECT link_id, count() AS clicks FROM link_clicks WHERE link_id IN (${places}) GROUP BY link_id`,
        ids,
      );
      for (const row of rows) counts.set(String(row["link_id"]), Number(row["clicks"]));
    }
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    log.warn({ err: error }, "clicks of links could not be counted");
    return undefined;
  }
  return counts;
}
