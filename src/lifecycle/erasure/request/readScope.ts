import type { DeleteDataRequest } from "../../../gen/lookout/v1/data_pb.ts";
import { keyOf } from "../../../store/write/eventKeys.ts";
import type { StoredWebsite } from "../../../websites/website.ts";
import type { DeletionScope } from "../deletion/deletionScope.ts";
import { readDeletionDays } from "./deletionDays.ts";

/** What a request names for erasure. Throws VALIDATION_ERROR for days that are no valid range. */
export function readScope(
  request: Pick<DeleteDataRequest, "startDate" | "endDate" | "dataTypes" | "anonymousId">,
  website: Pick<StoredWebsite, "id" | "timezone">,
): DeletionScope {
  const { startDate, endDate, dataTypes, anonymousId } = request;
  return {
    kind: "request",
    websiteId: website.id,
    ...readDeletionDays({ startDate, endDate }, website.timezone, Date.now()),
    startDate,
    endDate,
    dataTypes: [...new Set(dataTypes)].sort(),
    visitorKey: anonymousId === undefined ? null : keyOf(website.id, anonymousId),
  };
}
