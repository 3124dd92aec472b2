import { type IncomingHttpHeaders, request } from "node:http";

/** Sends a request without a body and returns the answer as it is on the wire: `fetch` would decompress it. */
export function rawRequest(
  url: string,
  options: { method?: string; headers?: Record<string, string> },
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on("error", reject)
      .end();
  });
}
