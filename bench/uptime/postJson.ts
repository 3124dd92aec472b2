import type { UptimeStack } from "./uptimeStack.ts";

/** Calls the API as the owner. The caller knows what is answered; rejects with the answer when it is no success. */
export async function postJson<T>({ config, apiKey }: UptimeStack, path: string, body: object): Promise<T> {
  const response = await fetch(`${config.server.baseUrl}${path}`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
