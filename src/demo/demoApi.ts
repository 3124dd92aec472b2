/** Calls the API of the running product, as every client does. */
export class DemoApi {
  readonly #baseUrl: string;
  readonly #apiKey: string;

  constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
  }

  /** POSTs a body and resolves to the answer. Rejects with what the API says when it refuses the call. */
  async post<T = object>(path: string, body: unknown): Promise<T> {
    const answer = await this.tryPost<T>(path, body);
    if ("error" in answer) throw new Error(`${path} was answered ${answer.status}: ${answer.error}`);
    return answer.body;
  }

  /** The same for a call that may be refused. */
  async tryPost<T>(path: string, body: unknown): Promise<{ body: T } | { status: number; error: string }> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${this.#apiKey}` },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return response.ok ? { body: JSON.parse(text) } : { status: response.status, error: text };
  }
}
