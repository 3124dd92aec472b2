import { expect, test } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";

type List = readonly [path: string, member: string, make: (at: number, websiteId: string) => readonly [string, object]];

/** Lists that are answered as a whole unless a page is asked for: path, member, and the call that makes another item. */
const lists: readonly List[] = [
  ["/websites/list", "websites", (at) => ["/websites/create", { name: `Shop ${at % 2}`, domain: "shop.example.com" }]],
  ["/api-keys/list", "apiKeys", (at) => ["/api-keys/create", { name: `${at}`, scopes: ["read:data"] }]],
  [
    "/uptime/monitors/list",
    "monitors",
    (at, websiteId) => ["/uptime/monitors/create", { websiteId, url: `https://example.com/${at}`, interval: "1h" }],
  ],
];

type Page = {
  readonly total: number;
  readonly nextCursor?: string;
  readonly items: readonly { readonly id: string }[];
};

async function list({ websiteId, apiKey }: TestWebsite, [path, member]: List, more: object) {
  const named = member === "monitors" ? { websiteId } : {};
  const { status, body } = await send("POST", path, { body: { ...named, ...more }, apiKey });
  const page = { ...(body as object), items: Reflect.get(body as object, member) } as Page & { details?: object };
  return { status, page };
}

test.each(lists)("%s: pages hold each of its %s once, in the order of the whole list", async (...entry) => {
  const website = await createWebsite();
  for (let at = 0; at < 6; at += 1) {
    const [path, body] = entry[2](at, website.websiteId);
    expect((await send("POST", path, { body, apiKey: website.apiKey })).status).toBe(200);
  }
  const whole = (await list(website, entry, {})).page;
  expect(whole.total).toBe(whole.items.length);
  expect(whole).not.toHaveProperty("nextCursor");
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let turn = 0; turn < 10; turn += 1) {
    const { page } = await list(website, entry, { limit: 3, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.total).toBe(whole.total);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
    expect(page.items).toHaveLength(3);
  }
  expect(ids).toEqual(whole.items.map(({ id }) => id));
  expect((await list(website, entry, { limit: whole.total })).page).not.toHaveProperty("nextCursor");
  const rest = (await list(website, entry, { cursor: ids[1] })).page.items.map(({ id }) => id);
  expect(rest).toEqual(ids.slice(2));
});

test.each(lists)("%s: a cursor of nothing, or of others, is an error", async (...entry) => {
  const [website, other] = await Promise.all([createWebsite(), createWebsite()]);
  const [path, body] = entry[2](0, other.websiteId);
  await send("POST", path, { body, apiKey: other.apiKey });
  const foreign = (await list(other, entry, {})).page.items[0]?.id;
  for (const cursor of ["none", foreign])
    expect(await list(website, entry, { cursor })).toMatchObject({
      status: 400,
      page: { details: [{ field: "cursor" }] },
    });
});

test("5: the pages of a key that is limited to websites have only these", async () => {
  const { websiteId, organizationId, apiKey } = await createWebsite();
  await send("POST", "/websites/create", { body: { name: "A", domain: "a.example.com" }, apiKey });
  const limited = await createKey({ organizationId, websiteIds: [websiteId] });
  const { body } = await send("POST", "/websites/list", { body: { limit: 1 }, apiKey: limited });
  expect(body).toMatchObject({ total: 1, websites: [{ id: websiteId }] });
  expect(body).not.toHaveProperty("nextCursor");
});
