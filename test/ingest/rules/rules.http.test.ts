import { expect } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { websiteTest } from "../../kit/calls/websiteTest.ts";

const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const view = { name: "page_view", path: "/prices" };

/** Addresses of the location database's countries. */
const german = "84.160.0.1";

websiteTest(
  "a rule keeps what it excludes out of the figures, and what was left out is counted by its kind",
  async ({ website, api }) => {
    const { websiteId } = website;
    const rules = {
      networks: ["203.0.113.0/24", "2001:db8::/32"],
      countries: ["FR"],
      userAgents: ["kioskview/3"],
      hosts: ["staging.shop.example"],
      paths: ["/admin*"],
      referrers: ["*.ads.example"],
    };
    const changed = await api.call("POST", "/websites/update", { id: websiteId, rules });
    expect(changed.body).toMatchObject({ rules });
    const browser = async (event: object, headers: Record<string, string> = {}) => {
      const all = { "user-agent": chrome, ...headers };
      const answer = await send("POST", `/batch?website_id=${websiteId}`, { body: [event], headers: all });
      // Its sender does nothing wrong.
      expect(answer.body).toMatchObject({ status: "success", results: [{ status: "success" }] });
    };
    await browser(view, { origin: "https://shop.example" });
    await browser(view, { origin: "https://staging.shop.example:8443" });
    await browser({ ...view, path: "https://staging.shop.example/prices" });
    await browser({ ...view, path: "/admin/users" });
    await browser({ ...view, referrer: "https://x.ads.example/click" });
    await browser(view, { "user-agent": `${chrome} KioskView/3.1` });
    await browser({ name: "signup", path: "/admin" });
    // Servers state the facts of their visitors.
    await api.sendEvents([
      { ...view, path: "/server", ip: "203.0.113.9", userAgent: chrome },
      { ...view, path: "/server", ip: "2001:db8::1", userAgent: chrome },
      { ...view, path: "/server", country: "FR", browser: "Firefox" },
      { ...view, path: "/server", ip: german, userAgent: chrome },
      // Nothing is known of the visitor, so no rule applies.
      { ...view, path: "/server" },
    ]);
    const byKind = async () => {
      const rows = (await api.rowsOf("excluded_traffic")) as { reason: string; kind: string; count: number }[];
      return Object.fromEntries(rows.map(({ reason, kind, count }) => [`${reason} ${kind}`, count]));
    };
    await expect.poll(byKind, { timeout: 30_000 }).toEqual({
      "blocked_by_rule network": 2,
      "blocked_by_rule country": 1,
      "blocked_by_rule user_agent": 1,
      "blocked_by_rule host": 2,
      "blocked_by_rule path": 2,
      "blocked_by_rule referrer": 1,
    });
    const days = await api.rowsOf("excluded_traffic_by_day", { preset: "today", granularity: "daily" });
    expect(days).toMatchObject([{ count: 9, blocked_by_rule: 9 }]);
    await expect
      .poll(() => api.rowsOf("top_pages"))
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: "/prices", pageviews: 1 }),
          expect.objectContaining({ name: "/server", pageviews: 2 }),
        ]),
      );
    // Without rules everything counts again.
    await api.call("POST", "/websites/update", { id: websiteId, rules: {} });
    const later = async () => {
      await browser({ ...view, path: "/admin/again" });
      return ((await api.rowsOf("top_pages")) as { name: string }[]).map(({ name }) => name);
    };
    await expect.poll(later, { timeout: 30_000 }).toContain("/admin/again");
  },
);

websiteTest("only listed host names count, by the origin that the browser names", async ({ website, api }) => {
  const { websiteId } = website;
  await api.call("POST", "/websites/update", { id: websiteId, rules: { onlyHosts: ["shop.example"] } });
  const at = (path: string, origin: Record<string, string>) =>
    send("POST", `/batch?website_id=${websiteId}`, {
      body: [{ ...view, path }],
      headers: { "user-agent": chrome, ...origin },
    });
  await at("/own", { origin: "https://www.shop.example" });
  await at("/copy", { origin: "https://copy.example" });
  await at("/unknown", {});
  await send("GET", `/px.jpg?website_id=${websiteId}&path=/pixel`, {
    headers: { "user-agent": chrome, referer: "https://shop.example/pixel" },
  });
  await api.sendEvents([{ ...view, path: "/server" }]);
  await expect
    .poll(() => api.rowsOf("excluded_traffic"), { timeout: 30_000 })
    .toEqual([expect.objectContaining({ reason: "blocked_by_rule", kind: "unlisted_host", count: 2 })]);
  const paths = async () => ((await api.rowsOf("top_pages")) as { name: string }[]).map(({ name }) => name).toSorted();
  await expect.poll(paths).toEqual(["/own", "/pixel", "/server"]);
});

websiteTest("a rule that makes no sense is refused by its field, and nothing is changed", async ({ website, api }) => {
  const { websiteId: id } = website;
  const rules = {
    networks: ["10.0.0.0/33", "0.0.0.0/0", "fe80::/10"],
    countries: ["Germany", "DE"],
    hosts: ["not a host"],
    paths: ["admin", "/a*b", "/*"],
  };
  const { status, body } = await api.call("POST", "/websites/update", { id, rules });
  expect(status).toBe(400);
  const { details } = body as { details: { field: string; suggestion?: string }[] };
  expect(details.map(({ field }) => field)).toEqual([
    "rules.networks[0]",
    "rules.networks[1]",
    "rules.countries[0]",
    "rules.hosts[0]",
    "rules.paths[0]",
    "rules.paths[1]",
    "rules.paths[2]",
  ]);
  expect(details).toContainEqual(expect.objectContaining({ field: "rules.countries[0]", suggestion: "DE" }));
  expect(details).toContainEqual(expect.objectContaining({ field: "rules.paths[0]", suggestion: "/admin" }));
  const many = Array.from({ length: 101 }, (_, index) => `/a${index}`);
  expect((await api.call("POST", "/websites/update", { id, rules: { paths: many } })).status).toBe(400);
  expect((await api.call("POST", "/websites/get", { id })).body).toMatchObject({ rules: { paths: [] } });
});

websiteTest("a preview counts what rules would have excluded, and says what is not known", async ({ website, api }) => {
  const { websiteId: id } = website;
  const event = (path: string, more: object) => ({ ...view, path, ...more });
  await api.sendEvents([
    event("/admin", { country: "DE" }),
    event("/admin/users", { country: "FR" }),
    event("/prices", { country: "DE", referrer: "https://x.ads.example/" }),
    event("/prices", { country: "FR", referrer: "https://ads.example/" }),
  ]);
  const rules = {
    networks: ["203.0.113.0/24"],
    userAgents: ["firefox"],
    hosts: ["a.example"],
    onlyHosts: ["b.example"],
    countries: ["DE"],
    paths: ["/admin*"],
    referrers: ["*.ads.example", "www.ads.example"],
  };
  const preview = async (asked: object) =>
    (await api.call("POST", "/websites/rules/preview", { id, rules: asked })).body as {
      events: number;
      excluded: number | null;
      kinds: { kind: string; excluded: number | null; unknown: string | null }[];
    };
  await expect.poll(async () => (await preview(rules)).events).toBe(4);
  const answer = await preview(rules);
  // Three kinds are known, and an event of two of them is excluded once.
  expect(answer.excluded).toBe(4);
  expect(Object.fromEntries(answer.kinds.map(({ kind, excluded }) => [kind, excluded]))).toEqual({
    network: null,
    country: 2,
    user_agent: null,
    host: null,
    unlisted_host: null,
    path: 2,
    referrer: 2,
  });
  expect(answer.kinds.find(({ kind }) => kind === "network")?.unknown).toBe("addresses of visitors are not stored");
  expect(await preview({ networks: ["203.0.113.0/24"] })).toMatchObject({ events: 4, excluded: null });
  expect(await preview({ paths: ["/nothing"] })).toMatchObject({ excluded: 0, kinds: [{ kind: "path", excluded: 0 }] });
  expect((await preview({ countries: ["FR"], paths: ["/admin"] })).excluded).toBe(3);
  // It changes nothing.
  expect((await api.call("POST", "/websites/get", { id })).body).toMatchObject({ rules: { countries: [], paths: [] } });
});
