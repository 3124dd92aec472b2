import { beforeAll, expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

let website: TestWebsite;

/** Visits that began on a page with a campaign, and signed up on a later page, whose event has none. */
const visits = [
  { campaign: "spring", entry: "/landing" },
  { campaign: "spring", entry: "/" },
  { campaign: undefined, entry: "/landing" },
];

beforeAll(async () => {
  website = await createWebsite();
  const items = visits.flatMap(({ campaign, entry }, index) => {
    const ids = { anonymousId: `v${index}`, sessionId: `s${index}` };
    const tsMs = noonDaysAgo(1);
    return [
      { ...ids, name: "page_view", path: entry, timestamp: tsMs, utm_campaign: campaign },
      { ...ids, name: "signup", path: "/form", timestamp: tsMs + 60_000 },
    ];
  });
  // A server's event has no visitor: it counts with its own values.
  items.push({ name: "signup", path: "/form", timestamp: noonDaysAgo(1), utm_campaign: "spring" } as never);
  const { websiteId, apiKey } = website;
  const { body } = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: items });
  expect(body).toMatchObject({ results: items.map(() => ({ status: "success" })) });
  await vi.waitFor(async () => expect((await goal([])).completions).toBe(4), { timeout: 100_000, interval: 200 });
});

type Filter = { field: string; op: string; value?: string };
type Figures = { visitors: number; converted: number; completions: number };

async function ask(what: string, body: object): Promise<unknown> {
  const address = `/v1/query/${what}?website_id=${website.websiteId}`;
  const answer = await send("POST", address, { apiKey: website.apiKey, body: { preset: "last_7d", ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function goal(filters: Filter[]): Promise<Figures> {
  const { goals } = (await ask("goals", { goals: [{ event: "signup", filters }] })) as { goals: [{ total: Figures }] };
  const { visitors, converted, completions } = goals[0].total;
  return { visitors, converted, completions };
}

const spring = { field: "utm_campaign", op: "eq", value: "spring" };
const landing = { field: "entry_page", op: "eq", value: "/landing" };
const onForm = { field: "path", op: "eq", value: "/form" };

test("4.1 a goal's filter on a field of visits is met by the visit of its event, and by an event without a visitor itself", async () => {
  expect(await goal([spring])).toEqual({ visitors: 3, converted: 2, completions: 3 });
  expect(await goal([{ ...spring, op: "ne" }])).toEqual({ visitors: 3, converted: 1, completions: 1 });
  expect(await goal([landing])).toEqual({ visitors: 3, converted: 2, completions: 2 });
  expect(await goal([spring, landing, onForm])).toEqual({ visitors: 3, converted: 1, completions: 1 });
});

test("4.1 so are those of a funnel's steps", async () => {
  const steps = [
    { page: { path: "/", op: "starts_with" }, filters: [landing] },
    { event: "signup", filters: [spring] },
  ];
  const funnel = (await ask("funnel", { steps, splitBy: "entry_page" })) as { steps: Figures[]; splits: unknown[] };
  expect(funnel.steps.map(({ visitors }) => visitors)).toEqual([2, 1]);
  expect(funnel.splits).toMatchObject([{ value: "/landing", visitors: 2, converted: 1 }]);
});
