import { readFile } from "node:fs/promises";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Row } from "../../src/store/questdb/questdbReader.ts";
import { docsText } from "../kit/calls/docsLines.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { startTrackedVisits, type TrackedVisits } from "../kit/web/trackedVisits.ts";

let visits: TrackedVisits;
const visit: TrackedVisits["visit"] = (...args) => visits.visit(...args);
const visitWith: TrackedVisits["visitWith"] = (scriptTag) => visits.visitWith(scriptTag);
const openPage = () => visits.openPage();

beforeAll(async () => {
  visits = await startTrackedVisits();
});
afterAll(() => visits?.close());

/** The answers of POST /v1/query today, by query type. */
async function ask(website: TestWebsite, types: readonly string[]): Promise<Record<string, Row[]>> {
  const { status, body } = await send("POST", `/v1/query?website_id=${website.websiteId}`, {
    body: { preset: "last_7d", parameters: types },
    apiKey: website.apiKey,
  });
  expect(status).toBe(200);
  const { data } = body as { data: { parameter: string; data: Row[] }[] };
  return Object.fromEntries(data.map((answer) => [answer.parameter, answer.data]));
}

const names = (rows: readonly Row[]) => rows.map(({ name, path }) => `${name} ${path}`);

test("A multi-page site: each view, exit, click, download and custom event is counted once", async () => {
  const { website, page, url } = await visit();
  await page.goto(url("/?utm_source=news&email=a@b.example"));
  await Promise.all([page.waitForNavigation(), page.click("#about")]);
  await page.goBack();
  await page.goForward();
  await page.click("#signup");
  await page.click("#mail");
  await page.click("#file");
  await Promise.all([page.waitForNavigation(), page.click("#out")]);
  await page.close();

  const events = await storedRows("events", website.websiteId, 10);
  expect(names(events).sort()).toEqual([
    "file_download /about",
    "page_exit /",
    "page_exit /",
    "page_exit /about",
    "page_exit /about",
    "page_view /",
    "page_view /",
    "page_view /about",
    "page_view /about",
    "signup /about",
  ]);
  expect(new Set(events.map((event) => event["anonymous_id"])).size).toBe(1);
  for (const event of events)
    expect(event).toMatchObject({
      session_id: null,
      anonymous_id: expect.stringMatching(/^[\w-]{8}$/),
      event_id: expect.stringMatching(/^[\w+/]{12}$/),
    });
  expect(events.find(({ name }) => name === "signup")).toMatchObject({ properties: '{"plan":"pro"}' });
  expect(await storedRows("outgoing_links", website.websiteId, 1)).toMatchObject([
    { href: expect.stringMatching(/^http:\/\/partner\.example:\d+\/offer$/), text: "Our partner", path: "/about" },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/secret|a@b/);

  const answer = await ask(website, ["summary_metrics", "top_pages", "custom_events", "outbound_links", "utm_sources"]);
  expect(answer["summary_metrics"]).toMatchObject([{ pageviews: 4, unique_visitors: 1, sessions: 1 }]);
  expect(answer["top_pages"]).toMatchObject([
    { name: "/", pageviews: 2 },
    { name: "/about", pageviews: 2 },
  ]);
  expect(answer["custom_events"]).toHaveLength(2);
  expect(answer["outbound_links"]).toHaveLength(1);
  expect(answer["utm_sources"]).toMatchObject([{ name: "news" }]);
});

test("A single-page site: a view for each new path, none for the same path, titles that are set later", async () => {
  const { website, page, url } = await visit();
  await page.goto(url("/app"));
  await page.evaluate("go('/app/list', 'List')");
  await page.evaluate("go('/app/list?sort=name', 'List', 'replaceState')");
  await page.evaluate("go('/app/list?sort=date', 'List')");
  await page.waitForFunction("document.title === 'List'");
  await page.evaluate("go('/app/item', 'Item', 'replaceState')");
  await page.waitForFunction("document.title === 'Item'");
  await page.goBack();
  await page.evaluate("lookout.track('bought', { price: 3 })");
  await page.close();

  const events = await storedRows("events", website.websiteId, 9);
  expect(names(events).sort()).toEqual([
    "bought /app/list",
    "page_exit /app",
    "page_exit /app/item",
    "page_exit /app/list",
    "page_exit /app/list",
    "page_view /app",
    "page_view /app/item",
    "page_view /app/list",
    "page_view /app/list",
  ]);
  expect(events.find((event) => event["name"] === "page_view" && event["path"] === "/app/item")).toMatchObject({
    title: "Item",
  });
  // Only the first view is an arrival.
  const groups = events.flatMap(({ name, path, referrer_group }) =>
    name === "page_view" ? [[path, referrer_group]] : [],
  );
  expect(groups.filter(([, group]) => group !== null)).toEqual([["/app", "direct"]]);
  const answer = await ask(website, ["summary_metrics", "custom_events"]);
  expect(answer["summary_metrics"]).toMatchObject([{ pageviews: 4, unique_visitors: 1, sessions: 1 }]);
  expect(answer["custom_events"]).toMatchObject([{ name: "bought" }]);
});

test("With data-hash, paths after the # are pages", async () => {
  const { website, page, url } = await visit('data-hash="true"');
  await page.goto(url("/app#/start"));
  await page.evaluate("location.hash = '#/cart'");
  await page.close();
  const events = await storedRows("events", website.websiteId, 4);
  expect(names(events).filter((name) => name.startsWith("page_view"))).toEqual([
    "page_view /app/start",
    "page_view /app/cart",
  ]);
});

test("Clicks in web components, in pictures and on image maps are counted", async () => {
  const { website, page, url } = await visit();
  await page.goto(url("/"));
  await page.evaluate(() => {
    document.addEventListener("click", (event) => event.preventDefault());
    const host = document.body.appendChild(document.createElement("div"));
    const root = host.attachShadow({ mode: "open" });
    root.innerHTML =
      '<a href="https://partner.example/shadow"><b>In a component</b></a><button data-track="bought" data-track-plan="pro">Buy</button>' +
      '<svg><a href="https://partner.example/svg"><text>In a picture</text></a><a href="/about"><text>Within</text></a><a><text>Nowhere</text></a></svg>';
    const map = document.body.appendChild(document.createElement("map"));
    map.innerHTML =
      '<area href="https://partner.example/north" alt="North"><area href="https://partner.example/list.pdf" alt="List"><area alt="Nowhere">';
    for (const element of [...root.querySelectorAll("b, button, text"), ...map.children])
      element.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, cancelable: true }));
  });
  await page.close();
  const links = await storedRows("outgoing_links", website.websiteId, 3);
  expect(links.map(({ href, text }) => `${href} ${text}`).sort()).toEqual([
    "https://partner.example/north North",
    "https://partner.example/shadow In a component",
    "https://partner.example/svg In a picture",
  ]);
  const events = await storedRows("events", website.websiteId, 4);
  expect(events.find(({ name }) => name === "bought")).toMatchObject({ properties: '{"plan":"pro"}' });
  expect(events.find(({ name }) => name === "file_download")).toMatchObject({
    properties: '{"href":"https://partner.example/list.pdf"}',
  });
});

test("With data-query-parameters, those that the website names belong to pages, and a change of one is another page", async () => {
  const { website, page, url } = await visit('data-query-parameters="id|token"');
  const paths = { trailingSlash: "keep", queryParameters: ["id"] };
  const update = { id: website.websiteId, paths };
  expect(await send("POST", "/websites/update", { apiKey: website.apiKey, body: update })).toMatchObject({
    status: 200,
  });
  await page.goto(url("/shop?id=5&email=a@b.example&utm_source=news&token=secret"));
  await page.evaluate("history.pushState(null, '', '/shop?id=6')");
  await page.evaluate("history.pushState(null, '', '/shop?id=6&email=a@b.example')");
  await page.close();
  const events = await storedRows("events", website.websiteId, 4);
  const views = events.filter(({ name }) => name === "page_view");
  expect(names(views)).toEqual(["page_view /shop?id=5", "page_view /shop?id=6"]);
  expect(views[0]).toMatchObject({ utm_source: "news" });
  expect(JSON.stringify(events)).not.toMatch(/secret|b\.example/);
});

test("A tab that is hidden and then closed sends its exit once, one that is shown again sends the longer time", async () => {
  const { website, page, url } = await visit();
  await page.goto(url("/"));
  await hide(page, true);
  await storedRows("events", website.websiteId, 2);
  await hide(page, false);
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 1200))");
  await page.evaluate("scrollTo(0, 3000)");
  await hide(page, true);
  await storedRows("events", website.websiteId, 3);
  await page.close();

  // The marker is sent after everything that closing might send.
  const marker = await openPage();
  await marker.goto(url("/marker"));
  await marker.close();
  const events = await storedRows("events", website.websiteId, 5);
  const [first, second] = events.filter((event) => event["name"] === "page_exit" && event["path"] === "/");
  expect(Number(second?.["time_on_page_ms"])).toBeGreaterThanOrEqual(Number(first?.["time_on_page_ms"]) + 1_000);
  expect(first).toMatchObject({ scroll_depth_percent: expect.any(Number) });
  expect(second).toMatchObject({ scroll_depth_percent: 100 });
});

test("Events of an offline page wait in memory and are counted once when it is online again", async () => {
  const { website, page, url } = await visit();
  await page.goto(url("/app"));
  await storedRows("events", website.websiteId, 1);
  await page.setOfflineMode(true);
  await page.evaluate("lookout.track('offline', { n: 1 }); go('/app/two', 'Two')");
  // Until the first attempt to send has failed.
  await page.waitForRequest((request) => request.url().includes("/batch"));
  await page.evaluate("lookout.track('offline', { n: 2 })");
  await page.setOfflineMode(false);
  const events = await storedRows("events", website.websiteId, 5);
  expect(names(events).sort()).toEqual([
    "offline /app",
    "offline /app/two",
    "page_exit /app",
    "page_view /app",
    "page_view /app/two",
  ]);
  await page.close();
  await storedRows("events", website.websiteId, 6);
  const answer = await ask(website, ["summary_metrics"]);
  expect(answer["summary_metrics"]).toMatchObject([{ pageviews: 2, unique_visitors: 1, sessions: 1 }]);
});

test("A batch that the server refuses temporarily is sent again, and one that it stored without an answer is counted once", async () => {
  const { website, page, url } = await visit();
  const answers = [503, 429, 0];
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const status = request.url().includes("/batch") ? answers.shift() : undefined;
    if (status === undefined) void request.continue();
    else if (status > 0) void request.respond({ status, headers: { "access-control-allow-origin": "*" } });
    // The server gets it and its answer is lost.
    else {
      const { referer = "", "user-agent": agent = "" } = request.headers();
      void fetch(request.url(), {
        method: "POST",
        body: request.postData() ?? "",
        headers: { referer, "user-agent": agent },
      }).then(() => request.abort("connectionreset"));
    }
  });
  await page.goto(url("/app"));
  await page.evaluate("lookout.track('kept')");
  await expect.poll(() => answers.length).toBe(0);
  await page.waitForResponse((response) => response.url().includes("/batch") && response.ok());
  // A closing page does not wait for the observer of its last request.
  await page.setRequestInterception(false);
  await page.close();
  const events = await storedRows("events", website.websiteId, 3);
  expect(names(events).sort()).toEqual(["kept /app", "page_exit /app", "page_view /app"]);
});

test('With data-auto="false" only what the page says is counted, also what it said before the script came', async () => {
  const { website, page, url } = await visit('data-auto="false" data-outbound="false" data-downloads="false"');
  await page.evaluateOnNewDocument(
    "window.lookout = { q: [['track', 'early', { a: 1 }], ['view', { notFound: true }]] }",
  );
  await page.goto(url("/about"));
  await page.click("#file");
  await Promise.all([page.waitForNavigation(), page.click("#out")]);
  await page.close();
  const events = await storedRows("events", website.websiteId, 3);
  expect(names(events).sort()).toEqual(["early /about", "page_exit /about", "page_view /about"]);
  expect(events.find(({ name }) => name === "page_view")).toMatchObject({ properties: '{"notFound":true}' });
});

test.each<[string, (id: string, base: string) => string]>([
  ["a module", (id, base) => `<script type="module" src="${base}/tracker.js" data-website-id="${id}"></script>`],
  [
    "a tag without attributes, by its address",
    (id, base) => `<script async src="${base}/tracker.js?v=1&website_id=${id}"></script>`,
  ],
  [
    "the same with a hyphen, as in the attribute",
    (id, base) => `<script async src="${base}/tracker.js?v=1&website-id=${id}&x=2"></script>`,
  ],
  [
    "a module under another name",
    (id) =>
      `<script type="module" src="/stats/script.js" data-website-id="${id}" data-batch-path="/stats/events"></script>`,
  ],
  [
    "options in window.lookout",
    (id, base) => `<script>lookout = { websiteId: "${id}" }</script><script src="${base}/tracker.js"></script>`,
  ],
  [
    "a script that a tag manager inserts",
    (id, base) => `<script>{
      const script = document.createElement("script");
      script.src = "${base}/tracker.js?website_id=${id}";
      document.head.append(script);
    }</script>`,
  ],
])("The website id is found by %s", async (_name, scriptTag) => {
  const { website, page, url } = await visitWith(scriptTag);
  const errors: unknown[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.goto(url("/about"));
  await page.close();
  const events = await storedRows("events", website.websiteId, 2);
  expect(names(events).sort()).toEqual(["page_exit /about", "page_view /about"]);
  expect(errors).toEqual([]);
});

test.each([
  ["script", ""],
  ["module", 'type="module"'],
])("A %s without a website id warns once in the console and sends nothing", async (_name, type) => {
  const { page, url } = await visitWith((_id, base) => `<script ${type} src="${base}/tracker.js"></script>`);
  const [sent, shown]: [string[], string[]] = [[], []];
  page.on("request", (request) => sent.push(new URL(request.url()).pathname));
  page.on("console", (message) => shown.push(message.text()));
  page.on("pageerror", (error) => shown.push(String(error)));
  await page.goto(url("/"));
  await page.evaluate("lookout.track('consented'); lookout.view()");
  await page.click("#signup");
  await hide(page, true);
  expect(sent).toContain("/tracker.js");
  expect(sent.filter((path) => path !== "/tracker.js")).toEqual(["/"]);
  expect(shown).toEqual(["Lookout: the script tag has no data-website-id"]);
});

test("An id of no website is reported once in the console", async () => {
  const { page, url } = await visitWith(
    (_id, base) => `<script defer src="${base}/tracker.js" data-website-id="none"></script>`,
  );
  const shown: string[] = [];
  page.on("console", (message) => message.type() === "warn" && shown.push(message.text()));
  const refused = () =>
    page.waitForResponse((response) => response.url().includes("/batch") && response.status() === 404);
  await Promise.all([refused(), page.goto(url("/"))]);
  await Promise.all([refused(), page.evaluate("lookout.track('signup')")]);
  await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
  expect(shown).toEqual(["Lookout: unknown website id"]);
});

test("Pages that do not exist are marked by data-404 or by the page, and are listed", async () => {
  const { website, page, url } = await visit("data-404");
  await page.goto(url("/app/lost"));
  await page.evaluate("go('/app/found', 'Found')");
  await page.evaluate("go('/app/gone', 'Gone'); lookout.view({ notFound: true })");
  await page.close();
  const views = (await storedRows("events", website.websiteId, 8)).filter(({ name }) => name === "page_view");
  const marked = '{"notFound":true}';
  expect(views.map(({ path, properties }) => `${path} ${properties}`).sort()).toEqual([
    "/app/found null",
    "/app/gone null",
    `/app/gone ${marked}`,
    `/app/lost ${marked}`,
  ]);
  const answer = await ask(website, ["not_found_pages"]);
  expect(answer["not_found_pages"]?.map(({ path, views: count }) => [path, count]).sort()).toEqual([
    ["/app/gone", 1],
    ["/app/lost", 1],
  ]);
});

test("The same visits through the tracker and through a server that forwards them give equal answers", async () => {
  const { website, page, url } = await visit();
  const batches: object[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/batch")) batches.push(...(JSON.parse(request.postData() ?? "[]") as object[]));
  });
  await page.goto(url("/app"));
  await page.evaluate("go('/app/list', 'List')");
  await page.evaluate("lookout.track('bought', { price: 3 })");
  const userAgent = await page.evaluate(() => navigator.userAgent);
  await hide(page, true);
  await storedRows("events", website.websiteId, 5);
  const other = await createWebsite({ domain: new URL(url("/")).hostname });
  const body = batches.map((event) => ({ ...event, ip: "127.0.0.1", userAgent }));
  await send("POST", `/batch?website_id=${other.websiteId}`, { body, apiKey: other.apiKey });
  await storedRows("events", other.websiteId, 5);
  const types = [
    "summary_metrics",
    "browsers",
    "browser_versions",
    "operating_systems",
    "device_types",
    "countries",
    "top_pages",
  ];
  expect(await ask(other, types)).toEqual(await ask(website, types));
  await page.close();
});

test("Calls and errors from before the script has loaded are queued by the lines in the docs and sent once", async () => {
  const lines = (await docsText("docs/user/events.md", "## The tracker")).split("\n");
  const [first, last] = [lines.indexOf("<script>"), lines.indexOf("</script>")];
  const snippet = lines.slice(first, last + 1).join("\n");
  const { website, page, url } = await visitWith(
    (id, base) => `${snippet}
      <script>
        lookout.track("early", { a: 1 });
        Promise.reject(new RangeError("rejected early"));
        throw new TypeError("thrown early");
      </script>
      <script defer src="${base}/tracker-vitals.js" data-website-id="${id}"></script>`,
  );
  await page.goto(url("/about"));
  await page.waitForFunction("lookout.stop");
  await page.click("#throw");
  await hide(page, true);
  const errors = await storedRows("script_errors", website.websiteId, 4);
  expect(errors.map(({ message, error_type }) => `${error_type} ${message}`).sort()).toEqual([
    "Error late",
    "RangeError rejected early",
    "TypeError boom",
    "TypeError thrown early",
  ]);
  await page.close();
  const events = await storedRows("events", website.websiteId, 3);
  expect(names(events).sort()).toEqual(["early /about", "page_exit /about", "page_view /about"]);
});

test.each([
  ["Do-Not-Track", "Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })", ""],
  [
    "Global Privacy Control",
    "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })",
    "",
  ],
  ["an excluded path", "", 'data-exclude="^/$|^/admin/"'],
  ["data-localhost=false", "", 'data-localhost="false"'],
])("With %s nothing is sent and nothing is stored in the browser", async (_name, before, attributes) => {
  const { page, url } = await visit(attributes);
  await page.evaluateOnNewDocument(before);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(new URL(request.url()).pathname));
  await page.goto(url("/"));
  await page.click("#signup");
  await page.evaluate("lookout.track('consented'); lookout.view()");
  await hide(page, true);
  expect(sent).not.toContain("/batch");
  expect(await page.evaluate("document.cookie")).toBe("");
  if (attributes.includes("exclude")) return;
  expect(await page.evaluate("Object.keys(localStorage)")).toEqual([]);
});

test("data-visitor sets how long a visitor id is kept: a day, 13 months from its creation, or a page load", async () => {
  const yesterday = "Date.now() - 30 * 3600e3";
  const seen = async (kind: string, sinceMs = yesterday) => {
    const { website, page, url } = await visit(`data-visitor="${kind}"`);
    await page.goto(url("/"));
    await page.goto(url("/about"));
    await page.evaluate(`{
      const visit = JSON.parse(localStorage.lookout || "null");
      if (visit) localStorage.lookout = JSON.stringify({ ...visit, timestamp: ${yesterday}, sessionStartTime: ${yesterday}, since: ${sinceMs} });
    }`);
    await storedRows("events", website.websiteId, 3);
    const other = await page.browserContext().newPage();
    await other.goto(url("/"));
    await page.close();
    await other.close();
    const views = (await storedRows("events", website.websiteId, 6)).filter(({ name }) => name === "page_view");
    return new Set(views.map((view) => view["anonymous_id"])).size;
  };
  expect(await seen("daily")).toBe(2);
  expect(await seen("persistent")).toBe(1);
  expect(await seen("persistent", "Date.now() - 400 * 864e5")).toBe(2);
  expect(await seen("none")).toBe(3);
});

test("A page restored from the browser's cache is a view of its own", async () => {
  const { website, page, url } = await visit();
  await page.goto(url("/about"));
  // A headless browser caches no pages, so the test fires the events of one that does.
  await page.evaluate(`for (const name of ["pagehide", "pageshow"])
    dispatchEvent(new PageTransitionEvent(name, { persisted: true }))`);
  await page.close();
  const events = await storedRows("events", website.websiteId, 4);
  expect(names(events).sort()).toEqual([
    "page_exit /about",
    "page_exit /about",
    "page_view /about",
    "page_view /about",
  ]);
});

test("The module tracks as the script does, until it is stopped", async () => {
  const { website, page, url } = await visit('data-auto="false"');
  const source = await readFile(new URL("../../web/tracker/dist/index.js", import.meta.url), "utf8");
  await page.goto(url("/app"));
  const options = { websiteId: website.websiteId, apiUrl: `${inject("lookout").baseUrl}/` };
  await page.evaluate(`(async () => {
    const code = new Blob([${JSON.stringify(source)}], { type: "text/javascript" });
    const { createTracker } = await import(URL.createObjectURL(code));
    const tracker = createTracker(${JSON.stringify(options)});
    tracker.track("bought", { price: 3 });
    tracker.stop();
    tracker.track("late");
  })()`);
  await page.close();
  const events = await storedRows("events", website.websiteId, 2);
  expect(names(events).sort()).toEqual(["bought /app", "page_view /app"]);
});

test("tracker-vitals.js measures as the web-vitals library does and reports errors, each once", async () => {
  const { website, page, url } = await visit("", "tracker-vitals.js");
  const library = await readFile(
    new URL("../../node_modules/web-vitals/dist/web-vitals.iife.js", import.meta.url),
    "utf8",
  );
  await page.evaluateOnNewDocument(`${library}
    const measured = {};
    for (const name of ["LCP", "FCP", "CLS", "INP", "TTFB"])
      webVitals["on" + name](({ value }) => { measured[name] = value; }, { reportAllChanges: true });
    addEventListener("DOMContentLoaded", () => {
      const about = document.getElementById("about");
      about.onclick = (event) => {
        event.preventDefault();
        const began = performance.now();
        while (performance.now() - began < 150);
      };
    });`);
  await page.goto(url("/"));
  await page.waitForFunction("measured.LCP > 0 && measured.FCP > 0");
  await page.evaluate(`new Promise((resolve) => {
    const banner = document.createElement("div");
    banner.style.height = "300px";
    document.body.prepend(banner);
    setTimeout(resolve, 300);
  })`);
  await page.click("#about");
  await page.click("#throw");
  await page.click("#throw");
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
  await hide(page, true);
  const measured = (await page.evaluate("measured")) as Record<string, number>;
  await page.close();

  const metrics = await storedRows("performance_metrics", website.websiteId, 5);
  const stored = Object.fromEntries(metrics.map((row) => [row["metric_type"], Number(row["value"])]));
  expect(Object.keys(measured).sort()).toEqual(["CLS", "FCP", "INP", "LCP", "TTFB"]);
  expect(measured["CLS"]).toBeGreaterThan(0);
  expect(measured["INP"]).toBeGreaterThanOrEqual(150);
  for (const [name, value] of Object.entries(measured)) expect(stored[name], name).toBeCloseTo(value, 3);
  expect(metrics).toMatchObject(metrics.map(() => ({ path: "/", session_key: metrics[0]?.["session_key"] })));

  const errors = await storedRows("script_errors", website.websiteId, 2);
  expect(errors.map(({ message, error_type }) => `${error_type} ${message}`).sort()).toEqual([
    "Error late",
    "TypeError boom",
  ]);
});

test.each([
  [
    "Prototype 1.6",
    `const inspect = function () { return '"' + this + '"' };
     Object.assign(Array.prototype, { toJSON() { return "[" + this.map((one) => JSON.stringify(one)).join(", ") + "]" } });
     for (const type of [String, Number, Boolean]) type.prototype.toJSON = inspect;`,
  ],
  ["members of all objects", `Object.prototype.extend = function () {}; Object.prototype.toJSON = () => "changed";`],
  [
    "another JSON",
    `window.JSON = { parse: (text) => (0, eval)("(" + text + ")"), stringify: () => "[object Object]" };`,
  ],
])("A page that has changed built-ins loses nothing: %s", async (_, script) => {
  const { website, page, url } = await visit('data-visitor="daily"', "tracker-vitals.js");
  await page.evaluateOnNewDocument(script);
  await page.goto(url("/"));
  await page.evaluate("lookout.track('bought', { list: [1, 'a\"b'], at: new Date(0) })");
  await page.evaluate("document.getElementById('throw').click()");
  await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length");
  await page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
  expect(await page.evaluate("JSON.parse(localStorage.lookout).page_count")).toBe(1);
  await hide(page, true);
  await page.close();
  const events = await storedRows("events", website.websiteId, 3);
  expect(names(events).sort()).toEqual(["bought /", "page_exit /", "page_view /"]);
  expect(events.find(({ name }) => name === "bought")).toMatchObject({
    properties: '{"list":[1,"a\\"b"],"at":"1970-01-01T00:00:00.000Z"}',
  });
  const metrics = await storedRows("performance_metrics", website.websiteId, 4);
  expect(metrics.map((row) => row["metric_type"]).sort()).toEqual(["CLS", "FCP", "LCP", "TTFB"]);
  await storedRows("script_errors", website.websiteId, 2);
});

/** As if the visitor minimised the window. */
async function hide(page: Page, isHidden: boolean): Promise<void> {
  const session = await page.createCDPSession();
  const { windowId } = await session.send("Browser.getWindowForTarget");
  await session.send("Browser.setWindowBounds", {
    windowId,
    bounds: { windowState: isHidden ? "minimized" : "normal" },
  });
  await page.waitForFunction(`document.hidden === ${isHidden}`, { polling: 20 });
}
