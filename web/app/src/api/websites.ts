import { signal } from "@preact/signals";
import { type Website, WebsiteService } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf, errorOf, type LookoutError } from "./client.ts";
import { takeWebsites } from "./pageStart.ts";
import { session } from "./session.ts";

export type WebsitesState =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly websites: readonly Website[] }
  | { readonly kind: "failed"; readonly error: LookoutError };

/** The websites of the organization that the session works in, without their tracking status: looking for events takes longer than all else. */
export const websites = signal<WebsitesState>({ kind: "loading" });

const client = clientOf(WebsiteService);

let loadedFor: string | undefined;

/** Loads the websites, once for each organization unless `again`. Never rejects. */
export async function loadWebsites(again = false): Promise<void> {
  const organizationId = session.value?.organizationId;
  if (organizationId === undefined || (loadedFor === organizationId && !again)) return;
  loadedFor = organizationId;
  // A person without an organization may list nothing.
  if (organizationId === "") {
    websites.value = { kind: "loaded", websites: [] };
    return;
  }
  try {
    const { websites: found } = takeWebsites() ?? (await client.listWebsites({ withoutTrackingStatus: true }));
    websites.value = { kind: "loaded", websites: found };
  } catch (thrown) {
    loadedFor = undefined;
    websites.value = { kind: "failed", error: errorOf(thrown) };
  }
}
