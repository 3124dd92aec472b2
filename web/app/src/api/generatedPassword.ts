/** When a person whose password the service made is asked for another one. */
export type PasswordQuestion = "never" | "after sign-in" | "before every page";

/**
 * The password lies in a file of the machine. Who reaches the service only from that machine may postpone the question, since nobody else can use
 * the password there; where the service has another address, it comes before every page.
 */
export function passwordQuestion(hasGeneratedPassword: boolean, host: string): PasswordQuestion {
  if (!hasGeneratedPassword) return "never";
  return isThisMachine(host) ? "after sign-in" : "before every page";
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
