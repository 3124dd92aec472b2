import { goTo, place } from "./router.ts";

const reasons = ["outdated-link", "password-set", "session-ended"] as const;

/** Why the sign-in is shown, which it says above its fields. */
export type SignInReason = (typeof reasons)[number];

/** Undefined where people came by themselves. */
export function signInReason(): SignInReason | undefined {
  const given = place.value.query.get("reason");
  return reasons.find((reason) => reason === given);
}

/** Shows the sign-in in place of the page, and afterwards `next`: an address relative to the app's base. */
export function goToSignIn(reason: SignInReason | undefined, next = ""): void {
  const query = new URLSearchParams({ ...(next === "" ? {} : { next }), ...(reason === undefined ? {} : { reason }) });
  goTo(["sign-in"], { query, replace: true });
}
