import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";

/** What each page about links gets. */
export type LinksProps = { readonly website: Website };
