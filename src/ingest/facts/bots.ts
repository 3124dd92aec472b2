import { isbot } from "isbot";

/**
 * Whether a User-Agent header is one of crawlers, previews, monitors or headless browsers. A program that calls us through an HTTP
 * library is none: crawlers come here as the browsers that run a page's script, while such a program was written to send events. Nor is
 * one that says nothing about itself.
 */
export function isBot(userAgent: string): boolean {
  return isbot(userAgent) && !libraries.test(userAgent);
}

/**
 * Whether a User-Agent header is not one of a person's browser, so that following a link with it is no click: bots, HTTP libraries, the
 * network code of phone apps, which fetches previews, and senders that say nothing about themselves, which no browser does.
 */
export function isAutomated(userAgent: string): boolean {
  return userAgent === "" || isbot(userAgent) || libraries.test(userAgent) || appNetworkCode.test(userAgent);
}

/** Apple's and Android's, which name themselves so unless an app's browser view replaces it by the name of a browser. */
const appNetworkCode = /\bCFNetwork\/|^Dalvik\//;

/** How HTTP libraries and RPC clients name themselves. */
const libraries = new RegExp(
  `^(?:${[
    "node(?:-fetch|-superagent)?|undici|bun|deno|axios|got|grpc-[a-z-]+|grpcurl|connect-[a-z-]+",
    "curl|libcurl|wget|httpie|postmanruntime|insomnia|k6|autocannon|wrk|hey|apachebench",
    "python(?:-requests|-httpx|-urllib)?|go-http-client|okhttp|java(?:-http-client)?|apache-httpclient|jetty|reactor-?netty",
    "php|guzzlehttp|symfony httpclient|ruby|faraday|rest-client|dart|reqwest|hyper|ureq|restsharp|\\.net|elixir|hackney",
  ].join("|")})(?:[\\s/(]|$)`,
  "i",
);
