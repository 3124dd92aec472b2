/** What trackers leave on a visitor's device, and how visitors are counted without it. */
import { build } from "esbuild";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Row } from "../../src/store/questdb/questdbReader.ts";
import { send } from "../kit/calls/request.ts";
import type { TestWebsite } from "../kit/calls/website.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { startTrackedVisits, type TrackedVisits } from "../kit/web/trackedVisits.ts";

let visits: TrackedVisits;
beforeAll(async () => {
  visits = await startTrackedVisits();
});
afterAll(() => visits?.close());

/** Everything that a page's origin can keep in a browser. */
async function keptInBrowser(page: Page): Promise<object> {
  return await page.evaluate(async () => ({
    cookie: document.cookie,
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: "caches" in globalThis ? await caches.keys() : [],
  }));
}

const nothing = { cookie: "", local: {}, session: {}, databases: [], caches: [] };

async function summaryOf({ websiteId, apiKey }: TestWebsite): Promise<Row | undefined> {
  const body = { preset: "today", parameters: ["summary_metrics"] };
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body });
  return (answer.body as { data: { data: Row[] }[] }).data[0]?.data[0];
}

const viewsOf = (events: readonly Row[]) => events.filter(({ name }) => name === "page_view");

test.each(["tracker.js", "tracker-vitals.js", "tracker-small.js"])(
  "%s stores nothing by default, sends no id, and counts a person with several tabs once",
  async (script) => {
    const { website, page, url } = await visits.visit("", script);
    const bodies: string[] = [];
    const answers: (string | undefined)[] = [];
    const watch = (tab: Page) => {
      tab.on("request", (request) => request.url().includes("website_id=") && bodies.push(request.postData() ?? ""));
      tab.on("response", (answer) => {
        const { etag, "set-cookie": cookie } = answer.headers();
        if (new URL(answer.url()).pathname === `/${script}`) answers.push(etag);
        expect(cookie).toBeUndefined();
      });
    };
    watch(page);
    await page.goto(url("/"));
    // What is sent while a page closes cannot be watched.
    await expect.poll(() => bodies.length).toBeGreaterThan(0);
    await page.goto(url("/about"));
    const tab = await page.browserContext().newPage();
    watch(tab);
    await tab.goto(url("/"));
    expect(await keptInBrowser(tab)).toEqual(nothing);
    await page.close();
    await tab.close();
    // Another person behind the same address, with another browser.
    const other = await visits.openPage();
    await other.setUserAgent({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" });
    watch(other);
    await other.goto(url("/"));
    expect(await keptInBrowser(other)).toEqual(nothing);
    await other.close();

    await expect.poll(async () => (await summaryOf(website))?.["pageviews"]).toBe(4);
    await expect.poll(() => summaryOf(website)).toMatchObject({ pageviews: 4, unique_visitors: 2, sessions: 2 });
    for (const body of bodies) expect(body).not.toMatch(/anonymousId|sessionId|sessionStartTime/);
    // The tag of the script is that of its content, the same for everybody.
    expect(new Set(answers.filter((etag) => etag !== undefined)).size).toBe(1);
  },
);

test("An id that the service makes never spans two websites", async () => {
  const [first, second] = [await visits.visit(), await visits.visit()];
  await first.page.goto(first.url("/"));
  await first.page.goto(second.url("/"));
  await first.page.close();
  const seen = await Promise.all(
    [first, second].map(async ({ website }) => viewsOf(await storedRows("events", website.websiteId, 2))[0]),
  );
  expect(seen[0]?.["anonymous_id"]).toMatch(/^[\w-]{8}$/);
  for (const name of ["anonymous_id", "visitor_key", "session_key"])
    expect(seen[0]?.[name]).not.toEqual(seen[1]?.[name]);
});

test.each(["tracker.js", "tracker-small.js"])(
  "%s counts nobody who objected, keeps only the objection, and counts again when it is taken back",
  async (script) => {
    const { website, page, url } = await visits.visit('data-visitor="daily"', script);
    await page.goto(url("/"));
    await page.waitForFunction("lookout.optOut");
    expect(await page.evaluate("lookout.isOptedOut()")).toBe(false);
    await page.evaluate("lookout.optOut()");
    await page.evaluate("lookout.track('late')");
    const sent: string[] = [];
    page.on("request", (request) => request.url().includes("/batch") && sent.push(request.postData() ?? ""));
    await page.goto(url("/about"));
    await page.waitForFunction("lookout.isOptedOut && lookout.isOptedOut()");
    await page.click("#signup");
    await page.evaluate("lookout.track('late'); lookout.view()");
    expect(await keptInBrowser(page)).toEqual({ ...nothing, local: { lookoutOff: "1" } });
    await page.evaluate("lookout.optIn()");
    expect(await keptInBrowser(page)).toEqual(nothing);
    await page.goto(url("/?back"));
    await page.close();
    await expect.poll(async () => (await summaryOf(website))?.["pageviews"]).toBe(2);
    const events = await storedRows("events", website.websiteId, script === "tracker.js" ? 3 : 2);
    expect(events.filter(({ name }) => name === "late" || name === "signup")).toEqual([]);
    expect(viewsOf(events).map(({ path }) => path)).toEqual(["/", "/"]);
    expect(sent.join()).not.toContain("/about");
  },
);

test.each(["tracker.js", "tracker-vitals.js"])(
  "%s: a link with the website's id leaves out the browser of whoever agrees, here only, and no other link does",
  async (script) => {
    const [{ website, page, url }, other] = [await visits.visit("", script), await visits.visit("", script)];
    const questions: string[] = [];
    let agrees = false;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void (agrees ? dialog.accept() : dialog.dismiss());
    });
    const open = async (address: string) => {
      await page.goto(address);
      await page.waitForFunction("window.lookout && lookout.isOptedOut");
      return await page.evaluate("lookout.isOptedOut()");
    };
    // A link of another website, and one that nobody agrees to.
    expect(await open(url(`/foreign?lookout-opt-out=${other.website.websiteId}`))).toBe(false);
    expect(questions).toEqual([]);
    expect(await open(url(`/asked?lookout-opt-out=${website.websiteId}`))).toBe(false);
    expect(questions).toHaveLength(1);
    agrees = true;
    expect(await open(url(`/own?lookout-opt-out=${website.websiteId}`))).toBe(true);
    expect(await open(url("/later"))).toBe(true);
    expect(await keptInBrowser(page)).toEqual({ ...nothing, local: { lookoutOff: "1" } });
    expect(await open(other.url("/elsewhere"))).toBe(false);
    await page.close();
    await other.page.close();
    await expect.poll(async () => (await summaryOf(website))?.["pageviews"]).toBe(2);
    await expect.poll(async () => (await summaryOf(other.website))?.["pageviews"]).toBe(1);
  },
);

test("tracker-small.js counts pages, routes of the history API and of hashes, custom events and outgoing links", async () => {
  const { website, page, url } = await visits.visitWith(
    (id, base) =>
      `<script>window.lookout = { q: [["track", "early", { a: 1 }]] }</script>
       <script defer src="${base}/tracker-small.js" data-website-id="${id}" data-hash="true"></script>`,
  );
  await page.goto(url("/?utm_source=news&email=a@b.example"));
  await page.evaluate("history.pushState({}, '', '/list')");
  await page.evaluate("history.replaceState({}, '', '/list?sort=name')");
  await page.evaluate("location.hash = '#/item'");
  await page.goBack();
  await page.evaluate("lookout.track('bought', { price: 3 })");
  await Promise.all([page.waitForNavigation(), page.click("#out")]);
  await page.close();
  const events = await storedRows("events", website.websiteId, 6);
  const shown = events.map(({ name, path }) => `${name} ${path}`);
  // Of the same millisecond, as a rule.
  expect(shown.slice(0, 2).sort()).toEqual(["early /", "page_view /"]);
  expect(shown.slice(2)).toEqual(["page_view /list", "page_view /list/item", "page_view /list", "bought /list"]);
  const [first, ...others] = events.toSorted(
    (a, b) => Number(b["utm_source"] !== null) - Number(a["utm_source"] !== null),
  );
  expect(first).toMatchObject({ name: "page_view", utm_source: "news", referrer_group: "other", title: "Page /" });
  expect(others.map((event) => event["referrer_group"])).toEqual([null, null, null, null, null]);
  expect(events.find(({ name }) => name === "bought")).toMatchObject({ properties: '{"price":3}' });
  expect(JSON.stringify(events)).not.toContain("b.example");
  expect(await storedRows("outgoing_links", website.websiteId, 1)).toMatchObject([{ text: "Our partner" }]);
  await expect.poll(() => summaryOf(website)).toMatchObject({ pageviews: 4, unique_visitors: 1, sessions: 1 });
});

test("A tag with data-client-id, as published SDKs write it, counts pages and takes their calls", async () => {
  const { website, page, url } = await visits.visitWith(
    (id) => `<script>{
      const script = document.createElement("script");
      script.src = "${inject("lookout").baseUrl}/tracker.js";
      script.setAttribute("data-client-id", "${id}");
      document.head.append(script);
    }</script>`,
  );
  await page.goto(url("/"));
  await page.waitForFunction("window.databuddy");
  await page.evaluate("databuddy.track('signup', { plan: 'pro' })");
  await page.close();
  const events = await storedRows("events", website.websiteId, 3);
  expect(events.map(({ name }) => name).sort()).toEqual(["page_exit", "page_view", "signup"]);
});

test("The component of the published Databuddy SDK stores nothing by default, and counts a person with two tabs once", async () => {
  const bundle = await bundleDatabuddy();
  const { website, page, url } = await visits.visitWith(
    (id, baseUrl) =>
      `<div id="app"></div><script>window.tracked = ${JSON.stringify({ clientId: id, apiUrl: baseUrl, scriptUrl: `${baseUrl}/tracker.js` })};</script><script type="module">${bundle}</script>`,
  );
  const bodies: string[] = [];
  const tab = await page.browserContext().newPage();
  for (const each of [page, tab]) {
    each.on("request", (request) => request.url().includes("website_id=") && bodies.push(request.postData() ?? ""));
    await each.goto(url("/"));
    await each.waitForFunction("window.databuddy");
    expect(await keptInBrowser(each)).toEqual(nothing);
  }
  await page.evaluate("bought()");
  await expect.poll(() => summaryOf(website)).toMatchObject({ pageviews: 2, unique_visitors: 1, sessions: 1 });
  expect(await storedRows("events", website.websiteId, 3)).toContainEqual(expect.objectContaining({ name: "bought" }));
  for (const body of bodies) expect(body).not.toMatch(/anonymousId|sessionId|sessionStartTime/);
  await page.close();
  await tab.close();
});

/** A page's own program with the SDK as its makers publish it. Preact takes the place of React, for which the SDK is written. */
async function bundleDatabuddy(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createElement } from "react";
        import { createRoot } from "react-dom/client";
        import { Databuddy, track } from "@databuddy/sdk/react";
        createRoot(document.getElementById("app")).render(createElement(Databuddy, window.tracked));
        window.bought = () => track("bought", { price: 3 });`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: "esm",
    alias: {
      react: "preact/compat",
      "react-dom/client": "preact/compat/client",
      "react/jsx-runtime": "preact/jsx-runtime",
    },
  });
  // The program stands within a page's script element.
  return (outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
}
