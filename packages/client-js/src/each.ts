import type { CallOptions } from "./callOptions.ts";
import type { Lookout } from "./createLookout.ts";
import { LookoutError } from "./lookoutError.ts";
import type { LookoutQuery, NameOf, Parameter } from "./query.ts";
import type { Rows } from "./rows.ts";

/** A page of a list: a list of objects and where the next page begins. */
type Page = { readonly nextCursor?: string | undefined };

/** A call that lists objects by pages. */
type ListCall<Request, Answer extends Page> = (request: Request, options?: CallOptions) => Promise<Answer>;

/** What a page lists: the objects of its only list. */
type ItemOf<Answer> = {
  [Name in keyof Answer]-?: Answer[Name] extends readonly (infer Item)[] ? (Item extends object ? Item : never) : never;
}[Exclude<keyof Answer, "$typeName" | "$unknown">];

/**
 * All objects of a list, page after page: `for await (const link of each(lookout.links.listLinks, { websiteId }))`. The next page is asked
 * for when the loop gets there. `limit` of the request is the size of a page. Takes every call that answers a `nextCursor`.
 */
export async function* each<Request extends object, Answer extends Page>(
  list: ListCall<Request, Answer> &
    (Answer extends { $typeName: string } ? ("nextCursor" extends keyof Answer ? unknown : never) : never),
  request: Request,
  options?: CallOptions,
): AsyncGenerator<ItemOf<Answer>, void> {
  let cursor: string | undefined;
  do {
    const page: Answer = await list(cursor === undefined ? request : { ...request, cursor }, options);
    for (const member of Object.values(page)) if (Array.isArray(member)) yield* member as ItemOf<Answer>[];
    cursor = page.nextCursor;
  } while (cursor !== undefined && cursor !== "");
}

/** Rows of a page where the query names no limit. */
const usualRows = 1_000;

/**
 * All rows of one query type, page after page: `for await (const { path } of eachRow(lookout, { preset, parameters: ["top_pages"] }))`.
 * `limit` of the query is the size of a page, and `page` the first one. Throws a LookoutError (QUERY_ERROR) with the wrong field in its details when the type
 * cannot be answered.
 */
export async function* eachRow<const P extends Parameter>(
  lookout: Pick<Lookout, "query">,
  query: LookoutQuery<readonly [P]>,
  options?: CallOptions,
): AsyncGenerator<Rows[NameOf<P>], void> {
  const { limit = usualRows, page: first = 1 } = query;
  let previous: string | undefined;
  for (let page = first; ; page++) {
    const [answer] = (await lookout.query({ ...query, limit, page }, options)).data;
    if (!answer.success) {
      const details = answer.detail === null ? [] : [answer.detail];
      throw new LookoutError("QUERY_ERROR", answer.error, { details });
    }
    const rows = answer.data as readonly Rows[NameOf<P>][];
    // Types with a row for each bucket have no pages: they answer the same rows again.
    const begin = JSON.stringify(rows[0]);
    if (begin === previous) return;
    yield* rows;
    if (rows.length !== limit) return;
    previous = begin;
  }
}
