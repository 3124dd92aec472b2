/**
 * Where and how to send one statement to `/exec` of the QuestDB at `http`, which is `http://user:password@host:port`; user, password and
 * port are optional.
 */
export function execRequest(http: string, statement: string): { url: URL; headers: Record<string, string> } {
  const url = new URL("/exec", http);
  const { username, password } = url;
  url.searchParams.set("query", statement);
  if (username === "") return { url, headers: {} };
  // Not in the URL, which fetch refuses then.
  url.username = url.password = "";
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, headers: { authorization: `Basic ${btoa(credentials)}` } };
}
