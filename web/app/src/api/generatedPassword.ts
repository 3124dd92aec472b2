/** When a person whose password the service made is asked for another one. */
export type PasswordQuestion = "never" | "after sign-in" | "before every page";

/**
 * Decides when the app asks for a new password. The generated password is stored in credentials.json on the server. At a loopback address the person
 * may postpone the question, since only people on the server can sign in there. At any other address the question comes before every page.
 */
export function passwordQuestion(hasGeneratedPassword: boolean, host: string): PasswordQuestion {
  if (!hasGeneratedPassword) return "never";
  return isThisMachine(host) ? "after sign-in" : "before every page";
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
