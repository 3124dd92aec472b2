/** The address and credentials of QuestDB's HTTP server. */
export type QuestdbAddress = {
  readonly protocol: "http" | "https";
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
};

/** Reads `http://user:password@host:port`; user, password and port are optional. */
export function readQuestdbAddress(url: string): QuestdbAddress {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "https:";
  return {
    protocol: secure ? "https" : "http",
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 443 : 80) : Number(port),
    username: username === "" ? undefined : decodeURIComponent(username),
    password: password === "" ? undefined : decodeURIComponent(password),
  };
}

/** Where and how to send one statement to `/exec`. */
export function execRequest(address: QuestdbAddress, statement: string): { url: URL; headers: Record<string, string> } {
  const { protocol, host, port, username, password } = address;
  const url = new URL(`${protocol}://${host.includes(":") ? `[${host}]` : host}:${port}/exec`);
  url.searchParams.set("query", statement);
  const headers: Record<string, string> = {};
  if (username !== undefined) headers["authorization"] = `Basic ${btoa(`${username}:${password ?? ""}`)}`;
  return { url, headers };
}
