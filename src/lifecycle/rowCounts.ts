import type { ReadOptions } from "../store/questdb/questdbReader.ts";
import type { OwnerReader, Questdbs } from "../store/questdb/questdbs.ts";
import { shownRows } from "../visitors/shownRows.ts";
import type { StoredWebsite } from "../websites/website.ts";

/** What counts the rows of a table. */
export type Counting = (questdb: OwnerReader, options: ReadOptions) => Promise<number>;

/**
 * Counts rows of websites for answers. Calls about data read rows in no other way, so that every one of their counts is rounded where a website
 * measures its audience only.
 */
export class RowCounts {
  readonly #questdb: Pick<Questdbs, "of">;

  constructor(questdb: Pick<Questdbs, "of">) {
    this.#questdb = questdb;
  }

  /** The rows of a table of a website as answers state them. Rejects with the driver's error. */
  async of(
    { id, privacy }: Pick<StoredWebsite, "id" | "privacy">,
    table: string,
    counting: Counting,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    return shownRows(await counting(this.#questdb.of(id), { owner: id, signal }), table, privacy);
  }
}
