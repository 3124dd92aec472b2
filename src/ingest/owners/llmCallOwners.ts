import type { Caller } from "../../access/caller.ts";
import { missingWebsite } from "./namedWebsite.ts";
import type { OwnerKind } from "./owners.ts";

/** Whom a call of a language model belongs to: a website, or an organization only. */
export type CallOwner = { readonly organizationId: string; readonly websiteId: string | undefined };

/** Where no website is named, a call belongs to the key's organization. A key that is limited to websites must name one of them. */
export function callOwners(caller: Caller | undefined): OwnerKind<CallOwner> {
  return {
    ofWebsite: ({ id, organizationId }) => ({ organizationId, websiteId: id }),
    unnamed: async () => {
      if (caller === undefined || caller.websiteIds !== undefined) throw missingWebsite();
      return { organizationId: caller.organizationId, websiteId: undefined };
    },
  };
}
