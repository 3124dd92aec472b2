import { request } from "node:http";
import { expect, inject } from "vitest";
import { whenOthersKnow } from "../stack/whenOthersKnow.ts";
import { type JsonAnswer, send } from "./request.ts";

export type Key = { readonly apiKey: string };
export type ShownLink = Record<string, unknown> & { id: string; slug: string; shortUrl: string; clicks: number };

/** Calls POST /links/<path> with a key. A changed link is known to every API afterwards. */
export async function post(path: string, body: unknown, { apiKey }: Key, baseUrl?: string): Promise<JsonAnswer> {
  const answer = await send("POST", `/links/${path}`, { body, apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) });
  if (path === "update" || path === "delete") await whenOthersKnow();
  return answer;
}

/** Creates a link through the API. */
export async function create(more: Record<string, unknown>, key: Key, baseUrl?: string): Promise<ShownLink> {
  const answer = await post("create", { targetUrl: "https://target.example/page", ...more }, key, baseUrl);
  expect(answer.body).toMatchObject({ id: expect.any(String) });
  expect(answer.status).toBe(200);
  return answer.body as ShownLink;
}

export const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
export const safariOnIphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1";
export const chromeOnAndroid =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";

export type Followed = {
  readonly status: number;
  readonly location: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

type FollowOptions = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly baseUrl?: string;
};

/** Follows a link as a browser does, as far as the redirect. */
export function follow(slug: string, options: FollowOptions = {}): Promise<Followed> {
  const { method = "GET", headers = {}, body, baseUrl = inject("lookout").baseUrl } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${baseUrl}/l/${slug}`,
      { method, headers: { "user-agent": chrome, accept: "text/html,application/xhtml+xml,*/*;q=0.8", ...headers } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            location: response.headers.location,
            headers: response.headers,
            text,
          }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** The link's clicks in the API's answer. */
export async function clicksOf(id: string, key: Key): Promise<unknown> {
  const answer = await post("get", { id }, key);
  return (answer.body as ShownLink).clicks;
}
