import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test, vi } from "vitest";
import { createPerson, signedIn } from "../kit/calls/person.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

const { baseUrl } = inject("lookout");

type Start = { readonly session?: { readonly session?: object } | null; readonly websites?: { websites: object[] } };

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(baseUrl + path, { headers: { accept: "text/html", ...headers } });
  const html = await response.text();
  const [, json] = /<script type="application\/json" id="start">(.*?)<\/script>/.exec(html) ?? [];
  return { response, html, start: json === undefined ? undefined : (JSON.parse(json) as Start) };
}

test("the web app's page has the session and the websites of the person who opens it", async () => {
  const website = await createWebsite();
  const other = await createWebsite();
  const person = await createPerson(website);
  const browser = await signedIn(person);
  // A page does not wait for long, and then does without them.
  const { response, html, start } = await vi.waitUntil(
    async () => {
      const opened = await open(`/dashboard/${website.websiteId}`, { cookie: browser.cookie() ?? "" });
      return opened.start === undefined ? undefined : opened;
    },
    { timeout: 100_000 },
  );
  expect(start?.session?.session).toEqual((await browser.call("/auth/session")).body);
  // Looking for events would take longer than all else.
  expect(start?.websites).toEqual((await browser.call("/websites/list", { withoutTrackingStatus: true })).body);
  expect(start?.websites?.websites).toMatchObject([{ id: website.websiteId, trackingStatus: "unknown" }]);
  expect(html).not.toContain(other.websiteId);
  expect(response.headers.get("cache-control")).toBe("private, no-cache");
  expect(response.headers.get("vary")).toContain("Cookie");
});

test("it says that nobody is signed in, and asks again about a session that has ended", async () => {
  expect((await open("/")).start).toEqual({ session: null });
  const browser = await signedIn(await createPerson(await createWebsite()));
  const cookie = browser.cookie() ?? "";
  await browser.call("/auth/sign-out", {});
  expect((await open("/", { cookie })).start).toBeUndefined();
});

test("its first view is named in it: at most eight scripts, all of which are there", async () => {
  const { html } = await open("/dashboard/x", { "accept-language": "de" });
  const scripts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file);
  expect(scripts.some((file) => file?.includes("/de-"))).toBe(true);
  expect(new Set(scripts).size).toBe(scripts.length);
  expect(scripts.length).toBeLessThanOrEqual(8);
  for (const file of scripts) expect((await fetch(`${baseUrl}/${file}`)).status).toBe(200);
});

test.each(["en", "de", "fr"])(
  "the scripts of the overview's first view have at most 80 kB in %s, compressed with brotli",
  async (language) => {
    const { html } = await open("/dashboard/x", { "accept-language": language });
    const scripts = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file);
    const built = join(import.meta.dirname, "../../web/app/dist");
    const sizes = await Promise.all(scripts.map(async (file) => (await stat(join(built, `${file}.br`))).size));
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(80_000);
  },
);

/** What the service has drawn; empty where the app draws. */
async function drawn(path: string, cookie: string) {
  const { html, response } = await open(path, { cookie });
  const [, elements = ""] = /<div id="app">(.*?)<\/div>\s*<noscript>/s.exec(html) ?? [];
  return { elements, html, cacheControl: response.headers.get("cache-control") };
}

test("an overview is drawn for people who may see the website, and kept in no cache", async () => {
  const [website, other] = await Promise.all([oldWebsite(), oldWebsite()]);
  const cookie = (await signedIn(await createPerson(website))).cookie() ?? "";
  const { elements, cacheControl } = await vi.waitUntil(
    async () => {
      const page = await drawn(`/dashboard/${website.websiteId}`, cookie);
      return page.elements === "" ? undefined : page;
    },
    { timeout: 100_000 },
  );
  expect(elements).toContain('class="figures"');
  // The policy of the page forbids them.
  expect(elements).not.toMatch(/ style=|<script/);
  expect(cacheControl).toBe("private, no-store");
  // Of a website that is another organization's, of none, of all time, and of another page.
  const paths = [
    `/dashboard/${other.websiteId}`,
    "/dashboard/x",
    `/dashboard/${website.websiteId}?range=all`,
    `/uptime/${website.websiteId}`,
  ];
  for (const path of paths) expect((await drawn(path, cookie)).elements, path).toBe("");
});

test("what is in an address is drawn as text", async () => {
  const website = await oldWebsite();
  const cookie = (await signedIn(await createPerson(website))).cookie() ?? "";
  const filter = encodeURIComponent("path:eq:</div><script>alert(1)</script>$&");
  const { html } = await vi.waitUntil(
    async () => {
      const page = await drawn(`/dashboard/${website.websiteId}?filter=${filter}`, cookie);
      return page.html.includes('class="figures"') ? page : undefined;
    },
    { timeout: 100_000 },
  );
  expect(html).toContain("&lt;script>alert(1)");
  expect(html).not.toContain("<script>alert(1)");
});

/** A website that mostly has events. */
async function oldWebsite(): Promise<TestWebsite> {
  const website = await createWebsite();
  await inDatabase((database) =>
    database.query("UPDATE websites SET created_at = '2020-01-01' WHERE id = $1", [website.websiteId]),
  );
  return website;
}
