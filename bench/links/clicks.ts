import { seededRandom } from "../../test/kit/random/seededRandom.ts";

/** The load: a number of links, clicked by a number of addresses. */
export const shape = { links: 100, addresses: 5_000, requests: 2_000 } as const;

const agents = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0",
];
const referrers = ["https://www.google.com/", "https://news.ycombinator.com/item?id=1", "https://t.co/abc", undefined];

/** Requests as a browser behind a proxy sends them, each as the bytes of HTTP/1.1; the same in every run. */
export function clickRequests(slugs: readonly string[]): string[] {
  const random = seededRandom(7);
  const one = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const addresses = Array.from({ length: shape.addresses }, () =>
    [random, random, random, random].map((next) => 1 + Math.floor(next() * 222)).join("."),
  );
  return Array.from({ length: shape.requests }, () => {
    const referrer = one(referrers);
    const lines = [
      `GET /l/${one(slugs)} HTTP/1.1`,
      "host: go.example.com",
      `user-agent: ${one(agents)}`,
      "accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "accept-language: de-DE,de;q=0.9,en;q=0.8",
      `x-forwarded-for: ${one(addresses)}`,
      ...(referrer === undefined ? [] : [`referer: ${referrer}`]),
    ];
    return `${lines.join("\r\n")}\r\n\r\n`;
  });
}
