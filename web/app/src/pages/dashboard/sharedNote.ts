import type { WebsitesState } from "../../api/websites.ts";
import type { Texts } from "../../texts/texts.ts";

/**
 * What the shared overview of a website says about who sees it. Members of its organization see it also while it is private. Undefined while it is
 * not known whether the person is one of them.
 */
export function sharedNote(
  websiteId: string,
  isSignedIn: boolean,
  own: Pick<WebsitesState, "kind"> & { readonly websites?: readonly { id: string; publicAccess: boolean }[] },
  { shared }: Texts,
): string | undefined {
  if (!isSignedIn) return shared.text;
  if (own.kind === "loading") return undefined;
  const found = own.websites?.find(({ id }) => id === websiteId);
  return found === undefined || found.publicAccess ? shared.text : shared.private;
}
