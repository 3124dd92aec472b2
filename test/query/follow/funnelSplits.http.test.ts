import { beforeAll, describe, expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

/** What a visitor does, a minute after the other, in a visit from a campaign and a country. */
type Visitor = {
  readonly campaign?: string;
  readonly country: string;
  readonly referrer?: string;
  readonly did: readonly Deed[];
};
type Deed = { readonly name: string; readonly path: string; readonly plan?: string };

const view = (path: string): Deed => ({ name: "page_view", path });
const buy = (plan: string): Deed => ({ name: "buy", path: "/cart", plan });

const visitors: readonly Visitor[] = [
  {
    campaign: "spring",
    country: "DE",
    referrer: "https://google.com/",
    did: [view("/products/lamp"), view("/cart"), buy("pro")],
  },
  { campaign: "spring", country: "FR", did: [view("/products/lamp"), view("/cart"), buy("free")] },
  { campaign: "spring", country: "DE", did: [view("/products/desk"), view("/")] },
  { campaign: "autumn", country: "DE", referrer: "https://google.com/", did: [view("/products/desk"), view("/cart")] },
  { campaign: "autumn", country: "FR", did: [view("/cart"), view("/products/desk"), buy("pro")] },
  {
    country: "PL",
    referrer: "https://news.example/",
    did: [view("/products/"), view("/cart"), buy("pro"), buy("pro")],
  },
  { country: "PL", did: [view("/")] },
];

/** The steps as people set them: a page that ends in *, a page, an event with a property. */
const steps = [
  { page: { path: "/products/", op: "starts_with" } },
  { page: "/cart" },
  { event: "buy", filters: [{ field: "properties.plan", op: "eq", value: "pro" }] },
];

const isStep: readonly ((deed: Deed) => boolean)[] = [
  ({ name, path }) => name === "page_view" && path.startsWith("/products/"),
  ({ name, path }) => name === "page_view" && path === "/cart",
  ({ name, plan }) => name === "buy" && plan === "pro",
];

/** How many steps a visitor takes, one after the other: everybody here has one attempt. */
function stepsTaken({ did }: Visitor): number {
  return did.reduce((taken, deed) => (isStep[taken]?.(deed) === true ? taken + 1 : taken), 0);
}

/** The visitors of each step by the value of a key, as a plain count says. */
function counted(keyOf: (visitor: Visitor) => string): Record<string, number[]> {
  const taken = visitors
    .map((visitor) => ({ key: keyOf(visitor), steps: stepsTaken(visitor) }))
    .filter((one) => one.steps > 0);
  return Object.fromEntries(
    [...new Set(taken.map(({ key }) => key))].map((key) => [
      key,
      steps.map((_, index) => taken.filter((one) => one.key === key && one.steps > index).length),
    ]),
  );
}

const begun = visitors.filter((visitor) => stepsTaken(visitor) > 0).length;

let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite({ firstEventOn: "2020-01-01" });
  const items = visitors.flatMap(({ campaign, country, referrer, did }, visitor) =>
    did.map(({ plan, ...deed }, minute) => ({
      ...deed,
      anonymousId: `v${visitor}`,
      sessionId: `s${visitor}`,
      timestamp: noonDaysAgo(1) + minute * 60_000,
      country,
      ...(minute === 0 ? { utm_campaign: campaign, referrer } : {}),
      ...(plan === undefined ? {} : { properties: { plan } }),
    })),
  );
  const path = `/batch?website_id=${website.websiteId}`;
  const { body } = await send("POST", path, { apiKey: website.apiKey, body: items });
  expect(body).toMatchObject({ results: items.map(() => ({ status: "success" })) });
  await vi.waitFor(async () => expect((await ask("country")).visitors).toBe(begun), {
    timeout: 100_000,
    interval: 200,
  });
});

type Answer = {
  visitors: number;
  steps: { visitors: number }[];
  splits: { value: string; visitors: number; converted: number; steps: { visitors: number }[] }[];
};

async function ask(splitBy: string): Promise<Answer> {
  const body = { preset: "last_7d", steps, splitBy };
  const answer = await send("POST", `/v1/query/funnel?website_id=${website.websiteId}`, {
    apiKey: website.apiKey,
    body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Answer;
}

describe("4.1 POST /v1/query/funnel by a field of visits equals a plain count", () => {
  test.each([
    ["utm_campaign", ({ campaign = "Unknown" }: Visitor) => campaign],
    ["country", ({ country }: Visitor) => country],
    ["referrer", ({ referrer }: Visitor) => (referrer === undefined ? "Direct" : new URL(referrer).host)],
    ["entry_page", ({ did }: Visitor) => did[0]?.path ?? ""],
  ] as const)("%s", async (splitBy, keyOf) => {
    const answer = await ask(splitBy);
    expect(
      Object.fromEntries(answer.splits.map((split) => [split.value, split.steps.map(({ visitors: count }) => count)])),
    ).toEqual(counted(keyOf));
    // A visitor has one value, so the values sum up to the whole.
    expect(answer.steps.map(({ visitors: count }) => count)).toEqual(
      steps.map((_, index) => answer.splits.reduce((sum, split) => sum + (split.steps[index]?.visitors ?? 0), 0)),
    );
  });
});
