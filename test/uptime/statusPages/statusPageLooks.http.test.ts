import { randomUUID } from "node:crypto";
import { beforeAll, expect, inject, test } from "vitest";
import { pngOf } from "../../kit/calls/png.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { whenOthersKnow } from "../../kit/stack/whenOthersKnow.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { insertMonitor } from "../../kit/stores/monitorFixture.ts";

const { baseUrl } = inject("lookout");
let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite();
});

const newSlug = () => `looks-${randomUUID().slice(0, 12)}`;

const call = (path: string, body: object, apiKey = website.apiKey) =>
  send("POST", `/uptime/status-pages/${path}`, { apiKey, body });

async function change(path: string, body: object): Promise<Record<string, string>> {
  const answer = await call(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await whenOthersKnow();
  return answer.body as Record<string, string>;
}

const make = (more: object = {}) =>
  change("create", { websiteId: website.websiteId, slug: newSlug(), title: "Looks", published: true, ...more });

async function get(path: string) {
  const answer = await fetch(new URL(path, baseUrl));
  const body = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, body, text: body.toString() };
}

test("a logo is kept as nothing but its pixels, and served for good at an address of its own", async () => {
  const page = await make();
  const file = Buffer.concat([pngOf(1_200, 600, "secret text"), Buffer.from("<script>alert(1)</script>")]);
  const changed = await change("logo", { id: page["id"], image: file.toString("base64") });
  expect(changed["logoUrl"]).toMatch(/\/status\/logo-[0-9a-f]{32}\.webp$/);
  const name = changed["logoUrl"]?.split("/").at(-1);
  const shown = await get(`/status/${page["slug"]}`);
  expect(shown.text).toContain(`<img class="picture" src="${name}" alt="" width="80" height="40">`);
  const { status, headers, body } = await get(`/status/${name}`);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("image/webp");
  expect(headers.get("cache-control")).toContain("immutable");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect([body.toString("latin1", 0, 4), body.toString("latin1", 8, 12)]).toEqual(["RIFF", "WEBP"]);
  // A WebP says how long it is: nothing follows it.
  expect(body.readUInt32LE(4) + 8).toBe(body.length);
  for (const hidden of ["secret", "script"]) expect(body.includes(hidden)).toBe(false);
  // What was written is a picture that can be given again, and is scaled already.
  const again = await change("logo", { id: page["id"], image: body.toString("base64") });
  expect(again["logoUrl"]).toBe(changed["logoUrl"]);
  const removed = await change("logo", { id: page["id"] });
  expect(removed["logoUrl"]).toBe("");
  expect((await get(`/status/${page["slug"]}`)).text).toContain('<span class="tile"');
  expect((await get(`/status/logo-${"0".repeat(32)}.webp`)).status).toBe(404);
  const log = await send("POST", "/audit/list", { apiKey: website.apiKey, body: { websiteId: website.websiteId } });
  expect(JSON.stringify(log.body)).toContain(name);
});

test.each([
  ["SVG", Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), "must not be SVG"],
  ["another type", Buffer.from("GIF89a\x01\x00\x01\x00"), "must be a PNG, JPEG or WebP picture"],
  ["too many bytes", Buffer.concat([pngOf(10, 10), Buffer.alloc(524_288)]), "must be at most 524288 bytes"],
  ["a bomb", pngOf(10, 10, "", { width: 30_000, height: 30_000 }), "must have at most 6250000 pixels"],
  ["no pixels", pngOf(10, 10, "", { width: 0, height: 10 }), "must have at most"],
  ["half a file", pngOf(600, 600).subarray(0, 200), "cannot be read as PNG"],
])("a logo is refused: %s", async (_, file, message) => {
  const page = await make();
  const answer = await call("logo", { id: page["id"], image: file.toString("base64") });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_ERROR", details: [{ field: "image", message: expect.stringContaining(message) }] },
  });
});

test("an accent colour is shown in a shade that can be read", async () => {
  const page = await make({ accentColor: "#FFD500" });
  expect(page["accentColor"]).toBe("#ffd500");
  expect((await get(`/status/${page["slug"]}`)).text).toContain('<link rel="stylesheet" href="accent-ffd500.css">');
  const sheet = await get("/status/accent-ffd500.css");
  expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(sheet.text).toMatch(
    /^:root\{--brand:#ffd500;--on-brand:#000000;--brand-ink:light-dark\(#[0-9a-f]{6},#ffd500\)\}/,
  );
  for (const accentColor of ["red", "#12345", "#12345g", "#fff;}"])
    expect(await call("update", { id: page["id"], accentColor })).toMatchObject({
      status: 400,
      body: { details: [{ field: "accentColor", message: "must be a colour such as #0064a3" }] },
    });
  expect((await change("update", { id: page["id"], accentColor: "" }))["accentColor"]).toBe("");
});

test("groups and their monitors are shown in the order in which they were stored", async () => {
  const monitors = await Promise.all(["Alpha", "Beta", "Gamma"].map((name) => insertMonitor(website, { name })));
  const [alpha, beta, gamma] = monitors.map(({ id }) => id);
  const page = await make({
    groups: [
      { name: "Zeta", monitorIds: [gamma, alpha] },
      { name: "Eta", monitorIds: [beta] },
    ],
  });
  const order = async () =>
    [...(await get(`/status/${page["slug"]}`)).text.matchAll(/<h[23]>(Zeta|Eta|Alpha|Beta|Gamma)</g)].map(
      ([, name]) => name,
    );
  expect(await order()).toEqual(["Zeta", "Gamma", "Alpha", "Eta", "Beta"]);
  await change("update", {
    id: page["id"],
    groups: [
      { name: "Eta", monitorIds: [beta, alpha] },
      { name: "Zeta", monitorIds: [gamma] },
    ],
  });
  expect(await order()).toEqual(["Eta", "Beta", "Alpha", "Zeta", "Gamma"]);
});

test("a preview shows settings that are not kept, to whoever has its address, for ten minutes", async () => {
  const { websiteId } = website;
  const page = await make({ published: false });
  const answer = await change("preview", {
    websiteId,
    pageId: page["id"],
    title: "Not kept yet",
    accentColor: "#c75000",
  });
  const path = new URL(answer["url"] ?? "").pathname;
  expect(path).toMatch(/^\/status\/preview\.[\w-]{32}$/);
  const shown = await get(path);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain("<h1>Not kept yet</h1>");
  expect(shown.text).toContain("accent-c75000.css");
  expect(shown.text).toContain('<meta name="robots" content="noindex">');
  expect(shown.headers.get("cache-control")).toBe("no-store");
  expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
  expect(shown.headers.get("x-frame-options")).toBe("SAMEORIGIN");
  // The draft stays one, and nothing else leads to the preview.
  expect((await get(`/status/${page["slug"]}`)).status).toBe(404);
  expect((await get(`/status/preview.${"a".repeat(32)}`)).status).toBe(404);
  expect((await get(`${path}/status.json`)).status).toBe(404);
  const list = await send("POST", "/uptime/status-pages/list", { apiKey: website.apiKey, body: { websiteId } });
  expect(JSON.stringify(list.body)).not.toContain("Not kept yet");
  const other = await createWebsite();
  expect((await call("preview", { websiteId, pageId: page["id"], title: "T" }, other.apiKey)).status).toBe(404);
  await inDatabase((database) =>
    database.query("UPDATE status_page_previews SET expires_at = now() WHERE website_id = $1", [websiteId]),
  );
  expect((await get(path)).status).toBe(404);
});

test("only the frame of a page may be on pages of others; badges have a label and a theme", async () => {
  const page = await make({ title: "My shop" });
  const embed = await get(`/status/${page["slug"]}/embed?theme=dark`);
  expect(embed.status).toBe(200);
  expect(embed.headers.get("content-security-policy")).toContain("frame-ancestors *");
  expect(embed.headers.get("x-frame-options")).toBeNull();
  expect(embed.text).toContain('<html lang="en" data-theme="dark">');
  expect(embed.text).toContain(`href="../${page["slug"]}" target="_blank" rel="noopener"`);
  const whole = await get(`/status/${page["slug"]}`);
  expect(whole.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(whole.headers.get("x-frame-options")).toBe("DENY");
  const badge = `/status/${page["slug"]}/badge.svg`;
  expect((await get(badge)).text).toContain('aria-label="My shop: ');
  const labelled = await get(`${badge}?label=${encodeURIComponent("<Uptime> & more")}&theme=dark`);
  expect(labelled.text).toContain('aria-label="&#60;Uptime&#62; &#38; more: ');
  expect(labelled.text).toContain('fill="#2a333e"');
  expect((await get(badge)).text).toContain('aria-label="My shop: ');
});
