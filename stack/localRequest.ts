import { Agent, request } from "node:http";

/** `address` and `port` of a server of the stack. `host` is the Host header, if it differs. */
export type LocalRequest = {
  readonly address?: string;
  readonly port: number;
  readonly path: string;
  readonly host?: string;
  /** Sent as JSON with POST. */
  readonly body?: object;
  readonly timeoutMs: number;
};

export type LocalAnswer = { readonly status: number; readonly text: string };

/**
 * An agent of its own: with NODE_USE_ENV_PROXY the global one, and fetch, would ask the proxy, which does not reach this
 * computer.
 */
const agent = new Agent();

/** Sends a request to a server of the stack. Rejects when it does not answer in time. */
export function askLocal({
  address = "127.0.0.1",
  port,
  path,
  host,
  body,
  timeoutMs,
}: LocalRequest): Promise<LocalAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      host: address,
      port,
      path,
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...(host === undefined ? {} : { host }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.once("error", reject);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
