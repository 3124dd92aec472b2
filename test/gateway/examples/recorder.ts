import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { chrome } from "../../kit/calls/linkCalls.ts";
import type { Browser } from "../../kit/calls/person.ts";
import type { Example, ExampleError } from "./exampleFile.ts";
import { type Operation, operations } from "./operations.ts";

/** A call of an example, by the person of `browser`, else with the recorder's key. */
export type Given = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly browser?: Browser;
  readonly baseUrl?: string;
};

type Answer = { status: number; contentType?: string; location?: string; body?: unknown };

type Keys = { readonly apiKey: string; readonly scopelessKey: string };

/** An answer whose members the next calls need. */
export type Body = { readonly [name: string]: Body } & { readonly length: number };

/** Calls operations, and keeps what they were sent and answered, with the refusals of the same call. */
export class Recorder {
  readonly examples = new Map<string, Example>();
  readonly #keys: Keys;
  /** Cookies that answers have set since a browser was opened. */
  readonly #cookies = new WeakMap<Browser, string>();

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  /** Records a call that succeeds, and before it the refusals that callers meet. Rejects where it does not succeed. */
  async call(id: string, given: Given = {}): Promise<Body> {
    const errors = await this.#refusals(find(id), given);
    return await this.callOnly(id, given, errors);
  }

  /** The same without looking for refusals, of which there are `errors`. */
  async callOnly(id: string, given: Given, errors: readonly ExampleError[] = []): Promise<Body> {
    const response = await this.#send(find(id), given);
    if (response.status >= 400)
      throw new Error(`${id} was answered ${response.status}: ${JSON.stringify(response.body)}`);
    const known = this.examples.get(id);
    const { path, query, body } = given;
    const request = { ...(path && { path }), ...(query && { query }), ...(body === undefined ? {} : { body }) };
    this.examples.set(id, { request, response, errors: merged([...(known?.errors ?? []), ...errors]) });
    return response.body as Body;
  }

  /** Records a refusal that the call itself does not show, such as CONFLICT. */
  async refusal(id: string, given: Given): Promise<void> {
    const { status, body } = await this.#send(find(id), given);
    if (status < 400) throw new Error(`${id} was to be refused and was answered ${status}: ${JSON.stringify(body)}`);
    const known = this.examples.get(id) ?? { request: {}, response: { status: 0 }, errors: [] };
    this.examples.set(id, {
      ...known,
      errors: merged([...known.errors, { status, body: body as ExampleError["body"] }]),
    });
  }

  /** Records the refusals that callers of any call meet. */
  async refusals(id: string, given: Given): Promise<void> {
    const known = this.examples.get(id) ?? { request: {}, response: { status: 0 }, errors: [] };
    const errors = await this.#refusals(find(id), given);
    this.examples.set(id, { ...known, errors: merged([...known.errors, ...errors]) });
  }

  async #refusals(operation: Operation, given: Given): Promise<ExampleError[]> {
    const { ways, isOpen } = operation;
    const found: ExampleError[] = [];
    const note = async (changed: Given, headers?: Record<string, string>) => {
      const { status, body } = await this.#send(operation, changed, headers);
      if (status >= 400) found.push({ status, body: body as ExampleError["body"] });
    };
    if (!isOpen) await note(given, {});
    if (ways.includes("bearer")) {
      await note(given, { authorization: "Bearer nonsense" });
      await note(given, { authorization: `Bearer ${this.#keys.scopelessKey}` });
    } else if (ways.includes("session")) await note(given, { authorization: `Bearer ${this.#keys.apiKey}` });
    const wrong = misspelt(given.body);
    if (wrong !== undefined) await note({ ...given, body: wrong });
    const strange = withOtherIds(given);
    if (strange !== undefined) await note(strange);
    return found;
  }

  async #send(operation: Operation, given: Given, headers?: Record<string, string>): Promise<Answer> {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => given.path?.[name] ?? "");
    const query = given.query === undefined ? "" : `?${new URLSearchParams(given.query)}`;
    const base = given.baseUrl ?? inject("lookout").baseUrl;
    const answer = await fetch(`${base}${path}${query}`, {
      method: operation.verb,
      redirect: "manual",
      headers: {
        "user-agent": chrome,
        accept: "application/json, image/*",
        ...(given.body === undefined ? {} : { "content-type": "application/json" }),
        ...(headers ?? this.#credentials(operation, given)),
      },
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    });
    const [cookie] = answer.headers.getSetCookie();
    if (given.browser !== undefined && cookie !== undefined)
      this.#cookies.set(given.browser, cookie.split(";")[0] ?? "");
    const contentType = answer.headers.get("content-type")?.split(";")[0];
    const location = answer.headers.get("location");
    return {
      status: answer.status,
      ...(contentType === undefined ? {} : { contentType }),
      ...(location === null ? {} : { location }),
      ...(await bodyOf(answer, contentType)),
    };
  }

  #credentials({ ways }: Operation, { browser, baseUrl }: Given): Record<string, string> {
    const origin = new URL(baseUrl ?? inject("lookout").baseUrl).origin;
    if (browser !== undefined) return { origin, cookie: this.#cookies.get(browser) ?? browser.cookie() ?? "" };
    return ways.includes("bearer") ? { authorization: `Bearer ${this.#keys.apiKey}` } : {};
  }
}

function find(id: string): Operation {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  return operation;
}

/** One refusal for each code. */
function merged(errors: readonly ExampleError[]): ExampleError[] {
  return [...new Map(errors.toReversed().map((error) => [error.body.code, error])).values()].sort(
    (a, b) => a.status - b.status || (a.body.code < b.body.code ? -1 : 1),
  );
}

/**
 * The body with a typing error in its longest name, or without its members where their names are short. Lists and empty
 * bodies become what no call takes.
 */
function misspelt(body: unknown): unknown {
  if (body === undefined) return undefined;
  if (Array.isArray(body) || typeof body !== "object" || body === null) return "a text";
  const [longest = ""] = Object.keys(body).sort((a, b) => b.length - a.length);
  if (longest === "") return { nonsense: true };
  if (longest.length < 5) return {};
  const typo = longest.slice(0, -3) + longest.slice(-2);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name === longest ? typo : name, value]));
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The same call about things that do not exist; undefined where it names none. */
function withOtherIds(given: Given): Given | undefined {
  const { browser, ...sent } = given;
  const text = JSON.stringify(sent);
  const other = text.replace(uuid, () => randomUUID());
  if (other === text) return undefined;
  return { ...(JSON.parse(other) as Given), ...(browser === undefined ? {} : { browser }) };
}

async function bodyOf(answer: Response, contentType: string | undefined): Promise<{ body?: unknown }> {
  if (contentType === "application/json") return { body: await answer.json() };
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isText = contentType?.startsWith("text/") || contentType === "image/svg+xml";
  return isText && bytes.length > 0 ? { body: bytes.toString() } : {};
}
