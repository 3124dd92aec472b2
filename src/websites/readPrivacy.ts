import type { WebsitePrivacy } from "../gen/lookout/v1/websites_pb.ts";
import { defaultSmallestGroup, type PrivacyRules } from "../visitors/privacyRules.ts";

/** The rules of a request, whose values the contract has checked. To measure the audience needs neither cities nor ids that last. */
export function readPrivacy({ place, ids, audienceOnly, smallestGroup }: WebsitePrivacy): PrivacyRules {
  return {
    place: audienceOnly || place === "country" ? "country" : place === "region" ? place : "city",
    ids: audienceOnly || ids === "day" ? "day" : "sent",
    audienceOnly,
    smallestGroup: smallestGroup ?? defaultSmallestGroup,
  };
}
