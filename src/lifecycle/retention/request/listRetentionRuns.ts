import type { ListRetentionRunsReply } from "../../../gen/lookout/services.ts";
import type { ListRetentionRunsRequest } from "../../../gen/lookout/v1/websites_pb.ts";
import { shownKinds } from "../../../retention/shownKinds.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import type { DataCall } from "../../dataCall.ts";

/** Runs in an answer without a limit in the request. */
const usualLimit = 30;

type Run = {
  readonly dueAt: Date;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly erased: Record<string, number> | null;
};

/**
 * POST /websites/retention/runs: the runs since the website was created, latest first, with what each erased of it; one
 * that found nothing has an empty count. Also for a website that was deleted less than 90 days ago. Rejects with
 * NOT_FOUND.
 */
export async function listRetentionRuns(
  { id, limit }: ListRetentionRunsRequest,
  { app, caller }: DataCall,
): Promise<ListRetentionRunsReply> {
  const website = await findWebsite(app.postgres, id, caller);
  const { rows } = await app.postgres.query<Run>(
    `SELECT due_at AS "dueAt", started_at AS "startedAt", finished_at AS "finishedAt",
       (SELECT jsonb_object_agg(kind, rows) FROM (
          SELECT kind, sum(rows)::float8 AS rows FROM retention_erased
          WHERE run_id = runs.id AND retention_erased.website_id = $1 GROUP BY kind
        ) AS kinds) AS erased
     FROM retention_runs AS runs
     WHERE website_id = $1 OR (website_id IS NULL AND started_at > to_timestamp($2::float8 / 1000))
     ORDER BY started_at DESC LIMIT $3`,
    [website.id, website.createdAtMs, limit ?? usualLimit],
  );
  return {
    runs: rows.map(({ dueAt, startedAt, finishedAt, erased }) => ({
      dueAt: dueAt.toISOString(),
      startedAt: startedAt.toISOString(),
      ...(finishedAt === null ? {} : { finishedAt: finishedAt.toISOString() }),
      erased: shownKinds(erased ?? {}, website.privacy),
    })),
  };
}
