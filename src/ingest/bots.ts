import { isbot } from "isbot";

/**
 * Whether a User-Agent header is one of crawlers, previews, monitors or headless browsers. A program that calls us through an HTTP
 * library is none: crawlers come here as the browsers that run a page's script, while such a program was written to send events. Nor is
 * one that says nothing about itself.
 */
export function isBot(userAgent: string): boolean {
  return isbot(userAgent) && !libraries.test(userAgent);
}

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
