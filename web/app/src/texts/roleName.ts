import { allTexts } from "./settings/settingsTexts.ts";

/** The roles, from the one that may do most. */
export const roles = ["owner", "admin", "member", "viewer"] as const;

/** A role in the language on screen. */
export function roleName(role: string): string {
  const names: Readonly<Record<string, string>> = allTexts().people.roles;
  return names[role] ?? role;
}
