import type { SettingsTexts } from "../texts/settings/en.ts";

type CheckTexts = SettingsTexts["firstEvent"]["checkResults"];

/** What the service found in a page (CheckInstallationResponse). */
type Found = {
  readonly result: string;
  readonly address: string;
  readonly httpStatus: number;
  readonly foundId: string;
  readonly directive: string;
  readonly neededSource: string;
};

/** The result of a check as a sentence. What this app does not know, of a newer service, is named as it is. */
export function checkSentence(found: Found, texts: CheckTexts): string {
  const { address, httpStatus, foundId, directive, neededSource } = found;
  switch (found.result) {
    case "other_website":
      return texts.other_website(address, foundId);
    case "script_blocked":
    case "events_blocked":
      return texts[found.result](address, directive, neededSource);
    case "no_page":
      return texts.no_page(address, String(httpStatus));
    case "ready":
    case "script_missing":
    case "tag_manager":
    case "id_missing":
    case "unreachable":
    case "address_refused":
      return texts[found.result](address);
    default:
      return `${address}: ${found.result}`;
  }
}
