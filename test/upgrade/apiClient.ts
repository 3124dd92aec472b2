/** Calls the API with a key and resolves to the JSON answer. Rejects with the answer's text unless it succeeded. */
export type ApiClient = (verb: string, path: string, body?: unknown) => Promise<unknown>;

export function callOf(baseUrl: string, apiKey: string): ApiClient {
  return async (verb, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: verb,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${verb} ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
}
