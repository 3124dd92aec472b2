import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { loadWebsites } from "../../api/websites.ts";
import FirstEvent from "../../firstEvent/firstEvent.tsx";

/** How to count the website, also after its first event. */
export function InstallPage({ website }: { readonly website: Website }) {
  const wasPending = website.trackingStatus === "pending";
  return <FirstEvent website={website} {...(wasPending ? { onArrived: () => void loadWebsites(true) } : {})} />;
}
