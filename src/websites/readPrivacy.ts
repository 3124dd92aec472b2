import type { WebsitePrivacy } from "../gen/lookout/v1/websites_pb.ts";
import type { PrivacyRules } from "../visitors/privacyRules.ts";

/** The rules of a request, whose values the contract has checked. */
export function readPrivacy({ place, ids }: WebsitePrivacy): PrivacyRules {
  return {
    place: place === "country" || place === "region" ? place : "city",
    ids: ids === "day" ? "day" : "sent",
  };
}
