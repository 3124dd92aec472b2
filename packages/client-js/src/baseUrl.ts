import { LookoutError } from "./lookoutError.ts";

/**
 * Where Lookout is, without slashes at its end. Throws a VALIDATION_ERROR that names baseUrl when it is no http or https address, so that a
 * wrong one does not look like a service that is down.
 */
export function readBaseUrl(baseUrl: string): string {
  const problem = problemOf(baseUrl);
  if (problem === undefined) return baseUrl.replace(/\/+$/, "");
  throw new LookoutError("VALIDATION_ERROR", `baseUrl ${problem.message}`, {
    details: [{ field: "baseUrl", ...problem }],
  });
}

function problemOf(baseUrl: string): { readonly message: string; readonly suggestion?: string } | undefined {
  const needed = "must be an address such as https://lookout.example.com";
  if (typeof baseUrl !== "string" || baseUrl.trim() === "") return { message: `${needed}; it is empty` };
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    const message = `${needed}, not ${JSON.stringify(baseUrl)}`;
    if (baseUrl.includes("://")) return { message };
    const isLocal = /^(?:localhost|127\.|\[::1\])/.test(baseUrl);
    const suggestion = `${isLocal ? "http" : "https"}://${baseUrl}`;
    return URL.canParse(suggestion) ? { message: `${message}. Did you mean ${suggestion}?`, suggestion } : { message };
  }
  if (url.username !== "" || url.password !== "")
    return { message: "must not hold a name or a password: pass an apiKey" };
  if (url.search !== "" || url.hash !== "") return { message: `must end with the path, not ${url.search}${url.hash}` };
  return undefined;
}
