import { inject } from "vitest";

export type JsonAnswer = { status: number; headers: Headers; body: unknown };

/** Sends a request without credentials and reads the JSON answer; other text is returned unchanged. A `body` that is no string is sent as JSON. */
export async function send(
  verb: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string>; apiKey?: string; baseUrl?: string } = {},
): Promise<JsonAnswer> {
  const response = await fetch(`${options.baseUrl ?? inject("lookout").baseUrl}${path}`, {
    method: verb,
    headers: {
      ...(options.body === undefined ? {} : { "content-type": "application/json" }),
      ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      ...options.headers,
    },
    body: options.body === undefined || typeof options.body === "string" ? options.body : JSON.stringify(options.body),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body: unknown = text === "" ? undefined : isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}
