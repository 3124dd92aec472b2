/** A Content-Security-Policy: its sources by directive. */
export type ContentPolicy = ReadonlyMap<string, readonly string[]>;

/** The policies of a header or of a meta tag; a header may have several with commas between (CSP 3, 2.2). */
export function readPolicies(text: string): ContentPolicy[] {
  return text
    .split(",")
    .map((policy) => {
      const directives = new Map<string, readonly string[]>();
      for (const part of policy.split(";")) {
        const [name = "", ...sources] = part.trim().split(/\s+/);
        // The first of a name holds (CSP 3, 2.2.1).
        if (name !== "" && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
      }
      return directives;
    })
    .filter(({ size }) => size > 0);
}

/** The directive that forbids something, by which of the names is set first; undefined where none does. */
export function forbiddingDirective(
  policy: ContentPolicy,
  names: readonly string[],
  url: URL,
  page: URL,
  nonce = "",
): string | undefined {
  const name = names.find((each) => policy.has(each));
  if (name === undefined) return undefined;
  const sources = policy.get(name) ?? [];
  if (nonce !== "" && sources.includes(`'nonce-${nonce}'`)) return undefined;
  // With it hosts do not count: only a script that is trusted itself may load others (CSP 3, 6.7.2.3).
  const isStrict = name.startsWith("script") && sources.includes("'strict-dynamic'");
  return !isStrict && sources.some((source) => allows(source, url, page)) ? undefined : name;
}

/** Whether a source of a policy includes a URL (CSP 3, 6.7.2.8). */
function allows(source: string, url: URL, page: URL): boolean {
  const text = source.toLowerCase();
  if (text === "*") return ["http:", "https:", "ws:", "wss:", page.protocol].includes(url.protocol);
  if (text === "'self'") return url.host === page.host && schemeMatches(page.protocol, url.protocol);
  if (/^[a-z][a-z0-9+.-]*:$/.test(text)) return schemeMatches(text, url.protocol);
  const parts = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^/:]+)(?::(\d+|\*))?(\/.*)?$/.exec(text);
  if (parts === null) return false;
  const [, scheme, host = "", port, path] = parts;
  return (
    schemeMatches(scheme === undefined ? page.protocol : `${scheme}:`, url.protocol) &&
    hostMatches(host, url.hostname) &&
    portMatches(port, url) &&
    (path === undefined || path === "/" || (path.endsWith("/") ? url.pathname.startsWith(path) : url.pathname === path))
  );
}

/** A policy that names http also allows https. */
function schemeMatches(named: string, used: string): boolean {
  return named === used || (named === "http:" && used === "https:");
}

function hostMatches(named: string, host: string): boolean {
  if (named === "*") return true;
  return named.startsWith("*.") ? host.endsWith(named.slice(1)) : named === host;
}

function portMatches(named: string | undefined, { port, protocol }: URL): boolean {
  if (named === "*") return true;
  const standard = protocol === "https:" ? "443" : "80";
  const used = port === "" ? standard : port;
  return named === undefined ? used === standard : named === used || (named === "80" && used === "443");
}
