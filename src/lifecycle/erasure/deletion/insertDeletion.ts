import type { Pool } from "pg";
import type { DeletionScope } from "./deletionScope.ts";

type NewDeletion = DeletionScope & {
  readonly id: string;
  /** Null of a purge, whose id must not keep the domain: `deletion/<id>`. */
  readonly workflowId: string | null;
  readonly organizationId: string;
  readonly timeZone: string;
  readonly deleted: Readonly<Record<string, number>>;
  readonly requestedBy: string | null;
  readonly requestId: string;
};

/** Stores a new deletion; its workflow is started by startDeletion. Rejects with the driver's error. */
export async function insertDeletion(client: Pick<Pool, "query">, deletion: NewDeletion): Promise<void> {
  await client.query(
    `INSERT INTO deletions (id, kind, website_id, organization_id, start_date, end_date, time_zone, from_ms, until_ms, data_types, visitor_key,
       deleted, requested_by, request_id, workflow_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      deletion.id,
      deletion.kind,
      deletion.websiteId,
      deletion.organizationId,
      deletion.startDate,
      deletion.endDate,
      deletion.timeZone,
      deletion.fromMs,
      deletion.untilMs,
      deletion.dataTypes,
      deletion.visitorKey,
      JSON.stringify(deletion.deleted),
      deletion.requestedBy,
      deletion.requestId,
      deletion.workflowId,
    ],
  );
}
