import type { Pool } from "pg";
import { previewHash, previewToken } from "../manage/previewToken.ts";
import type { StatusPage } from "../manage/statusPage.ts";
import { factsOf, type PageFacts } from "./pageFacts.ts";

/** What a preview shows, by the last part of its address; undefined for one that there is not or that has ended. */
export async function readPreviewFacts(postgres: Pool, slug: string, nowMs: number): Promise<PageFacts | undefined> {
  const token = previewToken(slug);
  if (token === undefined) return undefined;
  const { rows } = await postgres.query<{ page: StatusPage }>(
    `SELECT page FROM status_page_previews JOIN websites ON websites.id = status_page_previews.website_id
     WHERE token_hash = $1 AND expires_at > now() AND websites.deleted_at IS NULL`,
    [previewHash(token)],
  );
  const [row] = rows;
  return row === undefined ? undefined : await factsOf(postgres, row.page, nowMs);
}
