import { type Website, WebsiteService } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "./client.ts";
import { useCall } from "./useCall.ts";

const client = clientOf(WebsiteService);

/** Whether a website has events: `active`, `inactive`, `pending` before the first one, `unknown` while they cannot be read. Undefined until it is answered. */
export function useTrackingStatus({ id }: Pick<Website, "id">, isWanted = true): string | undefined {
  const { value, error } = useCall(
    `tracking status of ${id}`,
    async (signal) => (await client.getWebsite({ id }, { signal })).website?.trackingStatus ?? "unknown",
    { isWanted },
  );
  return value ?? (error === undefined ? undefined : "unknown");
}

/** The tracking status of each of these websites, by id. Undefined until it is answered, and if that fails. */
export function useTrackingStatuses(websites: readonly Pick<Website, "id">[]): ReadonlyMap<string, string> | undefined {
  const { value } = useCall(
    `tracking statuses of ${websites.map(({ id }) => id).join()}`,
    async (signal) => {
      const { websites: found } = await client.listWebsites({}, { signal });
      return new Map(found.map(({ id, trackingStatus }) => [id, trackingStatus]));
    },
    { isWanted: websites.length > 0 },
  );
  return value;
}
