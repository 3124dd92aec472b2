import { createHmac, timingSafeEqual } from "node:crypto";

/** Who got a link: the invited person by e-mail, which proves the address, or the inviter, to hand it over. */
export type LinkWay = "mailed" | "shown";

/**
 * The token of an invitation's link: its identifier, signed. The identifier alone opens nothing, so the list of invitations may show it, and
 * the store holds nothing that opens one.
 */
export function invitationToken(id: string, way: LinkWay, secret: string): string {
  return `${way}.${id}.${signature(id, way, secret).toString("base64url")}`;
}

/** What a token says; undefined for one that is not ours. */
export function readInvitationToken(
  token: string,
  secret: string,
): { readonly id: string; readonly way: LinkWay } | undefined {
  const [way, id, signed, ...rest] = token.split(".");
  if ((way !== "mailed" && way !== "shown") || id === undefined || signed === undefined || rest.length > 0)
    return undefined;
  const given = Buffer.from(signed, "base64url");
  const expected = signature(id, way, secret);
  return given.length === expected.length && timingSafeEqual(given, expected) ? { id, way } : undefined;
}

function signature(id: string, way: LinkWay, secret: string): Buffer {
  return createHmac("sha256", secret).update(`invitation\0${way}\0${id}`).digest();
}
