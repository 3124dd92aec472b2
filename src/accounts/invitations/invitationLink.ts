import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * How a link was delivered: mailed to the invited person, which proves the address, or shown to the inviter, to pass it
 * on.
 */
export type LinkWay = "mailed" | "shown";

/**
 * The token of an invitation's link: its signed id. The id alone is useless, so lists of invitations may show it, and
 * the database holds nothing that accepts one.
 */
export function invitationToken(id: string, way: LinkWay, secret: string): string {
  return `${way}.${id}.${signature(id, way, secret).toString("base64url")}`;
}

/** The content of a token; undefined if we did not sign it with one of the secrets. */
export function readInvitationToken(
  token: string,
  secrets: readonly string[],
): { readonly id: string; readonly way: LinkWay } | undefined {
  const [way, id, signed, ...rest] = token.split(".");
  if ((way !== "mailed" && way !== "shown") || id === undefined || signed === undefined || rest.length > 0)
    return undefined;
  const given = Buffer.from(signed, "base64url");
  const isSigned = secrets.some((secret) => {
    const expected = signature(id, way, secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? { id, way } : undefined;
}

function signature(id: string, way: LinkWay, secret: string): Buffer {
  return createHmac("sha256", secret).update(`invitation\0${way}\0${id}`).digest();
}
