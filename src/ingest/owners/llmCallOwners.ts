import type { Caller } from "../../call/caller.ts";
import { missingWebsite } from "./namedWebsite.ts";
import type { OwnerKind } from "./owners.ts";

/** The owner of a language model call: a website, or only an organization. */
export type CallOwner = { readonly organizationId: string; readonly websiteId: string | undefined };

/** Without a website a call belongs to the key's organization. A key limited to websites must name one of them. */
export function callOwners(caller: Caller | undefined): OwnerKind<CallOwner> {
  return {
    ofWebsite: ({ id, organizationId }) => ({ organizationId, websiteId: id }),
    unnamed: async () => {
      if (caller === undefined || caller.websiteIds !== undefined) throw missingWebsite();
      return { organizationId: caller.organizationId, websiteId: undefined };
    },
  };
}
