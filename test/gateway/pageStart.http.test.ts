import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test, vi } from "vitest";
import { createPerson, signedIn } from "../kit/calls/person.ts";
import { createWebsite } from "../kit/calls/website.ts";

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
