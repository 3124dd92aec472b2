import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";

/** Properties of each page about links. */
export type LinksProps = { readonly website: Website };
