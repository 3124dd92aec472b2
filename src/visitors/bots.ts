import { isbot } from "isbot";
import { isTelevision } from "./agentDevice.ts";

/**
 * Whether a User-Agent header belongs to a crawler, preview, monitor or headless browser. A program that uses an HTTP
 * library is none: crawlers reach us as browsers that run a page's script, while such a program was written to send
 * events. An empty header is none either.
 */
export function isBot(userAgent: string): boolean {
  return isNamedBot(userAgent) && !libraries.test(userAgent);
}

/**
 * Whether a User-Agent header does not belong to a person's browser, so that following a link with it is no click:
 * bots, HTTP libraries, the network code of phone apps (which fetches previews), and an empty header, which no browser
 * sends.
 */
export function isAutomated(userAgent: string): boolean {
  return userAgent === "" || isNamedBot(userAgent) || libraries.test(userAgent) || appNetworkCode.test(userAgent);
}

/** isbot also knows bots by the unusual form of their agents, which those of televisions have too. */
function isNamedBot(userAgent: string): boolean {
  if (testers.test(userAgent)) return true;
  return isbot(userAgent.replace(likeBots, "")) && !(isTelevision(userAgent) && !wordsOfBots.test(userAgent));
}

/** Tools that load pages to measure or picture them, which isbot does not know. */
const testers = /\bGTmetrix\b|\) YLT Chrome\/|\bMiniature\.io\//;

/** Words of people's browsers that isbot takes for those of bots: Sogou also has a crawler, and Java is a library too. */
const likeBots = /\bSogou(?:MSE|(?:Mobile|Android)Browser)\b|\bjava_runtime_version=|\bAlipayDefined\([^)]*\)/g;

const wordsOfBots = /bot\b|crawl|spider|https?:|headless|preview|lighthouse|monitor|@/i;

/** The network code of Apple and Android, unless an app's web view replaces it by the name of a browser. */
const appNetworkCode = /\bCFNetwork\/|^Dalvik\//;

/** The names of HTTP libraries and RPC clients. */
const libraries = new RegExp(
  `^(?:${[
    "node(?:-fetch|-superagent)?|undici|bun|deno|axios|got|grpc-[a-z-]+|grpcurl|connect-[a-z-]+",
    "curl|libcurl|wget|httpie|postmanruntime|insomnia|k6|autocannon|wrk|hey|apachebench",
    "python(?:-requests|-httpx|-urllib)?|go-http-client|okhttp|java(?:-http-client)?|apache-httpclient|jetty|reactor-?netty",
    "php|guzzlehttp|symfony httpclient|ruby|faraday|rest-client|dart|reqwest|hyper|ureq|restsharp|\\.net|elixir|hackney",
  ].join("|")})(?:[\\s/(]|$)`,
  "i",
);
