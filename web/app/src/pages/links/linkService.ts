import { type Link, LinkService } from "../../../../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { clientOf } from "../../api/client.ts";
import { t } from "../../texts/texts.ts";

export const links = clientOf(LinkService);

export function nameOf({ name, slug }: Link): string {
  return name === "" ? slug : name;
}

/** Labels for unusual properties of a link. */
export function tagsOf(link: Link): readonly string[] {
  const { links: texts } = t();
  const isExpired = link.expiresAt !== undefined && Date.parse(link.expiresAt) <= Date.now();
  const isUsedUp = link.clickLimit !== undefined && link.clicksKnown && link.clicks >= link.clickLimit;
  return [
    ...(isExpired ? [texts.expired] : []),
    ...(isUsedUp ? [texts.usedUp] : []),
    ...(link.hasPassword ? [texts.withPassword] : []),
  ];
}
