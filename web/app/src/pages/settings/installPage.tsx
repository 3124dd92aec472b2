import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import FirstEvent from "../../firstEvent/firstEvent.tsx";

/** How to count the website, also after its first event. */
export function InstallPage({ website }: { readonly website: Website }) {
  return <FirstEvent website={website} />;
}
