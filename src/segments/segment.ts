import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import type { EveryField } from "../call/everyField.ts";
import type { SegmentInit } from "../gen/lookout/services.ts";
import { SegmentFilterSchema, type SegmentSchema } from "../gen/lookout/v1/segments_pb.ts";
import { epochMs } from "../store/postgres/epochMs.ts";

/** A row of the table segments. Times are Unix ms. */
export type Segment = {
  readonly id: string;
  readonly websiteId: string;
  /** Whose it is; null for a shared one. */
  readonly userId: string | null;
  readonly name: string;
  /** In the JSON form of SegmentFilter. */
  readonly filters: readonly JsonObject[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** Columns of the table segments, as a Segment names them. */
export const segmentColumns = `id, website_id AS "websiteId", user_id AS "userId", name, filters,
  ${epochMs("created_at")} AS "createdAtMs", ${epochMs("updated_at")} AS "updatedAtMs"`;

/** A segment as answers show it. */
export function segmentMessage(segment: Segment): SegmentInit {
  return {
    id: segment.id,
    websiteId: segment.websiteId,
    name: segment.name,
    shared: segment.userId === null,
    filters: segment.filters.map((filter) => fromJson(SegmentFilterSchema, filter)),
    createdAt: new Date(segment.createdAtMs).toISOString(),
    updatedAt: new Date(segment.updatedAtMs).toISOString(),
  } satisfies EveryField<typeof SegmentSchema>;
}

/** A segment as the audit log records it. Admins read that log, so it does not say what a personal one holds. */
export function auditedSegment({ name, userId, filters }: Segment): JsonObject {
  return userId === null ? { shared: true, name, filters: [...filters] } : { shared: false };
}
