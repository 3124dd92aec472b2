import { expect, inject } from "vitest";
import { createPerson } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { fill, press, seeHeading, shownFigure, shownRows } from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");

async function view(website: TestWebsite, visitor: string, path: string): Promise<void> {
  const event = { name: "page_view", path, anonymousId: visitor, sessionId: visitor };
  const { status } = await send("POST", `/batch?website_id=${website.websiteId}`, {
    apiKey: website.apiKey,
    body: [event],
  });
  expect(status).toBe(200);
}

test("a person signs in, sees live figures, filters by a click, goes back, and signs out", async () => {
  const website = await createWebsite();
  const { email, password } = await createPerson(website);
  await view(website, "ada", "/");
  await view(website, "ada", "/pricing");
  await view(website, "bob", "/");
  const page = await openTab();
  const address = `/dashboard/${website.websiteId}?range=today`;
  await page.goto(baseUrl + address);
  await fill(page, "E-mail address", email);
  await fill(page, "Password", password);
  await press(page, "Sign in");
  await seeHeading(page, "Test");
  expect(page.url()).toBe(baseUrl + address);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  expect(await shownFigure(page, "pageviews")).toBe(3);
  await expect
    .poll(() => shownRows(page, "pages"))
    .toEqual([
      ["/", "100%", "2"],
      ["/pricing", "50%", "1"],
    ]);
  await press(page, "/pricing", "link");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  expect(new URL(page.url()).searchParams.getAll("filter")).toEqual(["path:eq:/pricing"]);
  await page.goBack();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  await view(website, "eve", "/pricing");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(3);
  await press(page, "Account: Ada");
  await press(page, "Sign out");
  await seeHeading(page, "Sign in");
  expect(await page.cookies()).toEqual([]);
});

test("8: what visitors send is shown as it is: characters that turn or hide text are codes", async () => {
  const website = await createWebsite();
  const { email, password } = await createPerson(website);
  await view(website, "ada", "/invoice\u202efdp.exe");
  const page = await openTab({ path: `/dashboard/${website.websiteId}?range=today` });
  await fill(page, "E-mail address", email);
  await fill(page, "Password", password);
  await press(page, "Sign in");
  await expect.poll(() => shownRows(page, "pages")).toEqual([["/invoice[U+202E]fdp.exe", "100%", "1"]]);
  // Signed in, an address that names another host after the own one leads to the first page.
  await page.goto(`${baseUrl}/sign-in?next=${encodeURIComponent(`${baseUrl}//evil.example/x`)}`);
  await expect.poll(() => page.url()).not.toContain("sign-in");
  expect(new URL(page.url()).origin).toBe(baseUrl);
  await expect.poll(() => page.$eval("h1", (heading) => heading.textContent)).toBeTruthy();
});

test("the page has a policy without exceptions, and files that never change", async () => {
  const answer = await fetch(`${baseUrl}/sign-in`);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  const [, script = ""] = /src="\.\/(assets\/[^"]+\.js)"/.exec(await answer.text()) ?? [];
  const file = await fetch(`${baseUrl}/${script}`, { headers: { "accept-encoding": "br" } });
  expect(file.status).toBe(200);
  expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(file.headers.get("content-encoding")).toBe("br");
  expect((await fetch(`${baseUrl}/unknown-page`)).status).toBe(404);
  // A person gets the app, which says that nothing is there; a program the error of the API.
  for (const path of ["unknown-page", "unknown/page?x=1"]) {
    const nothing = await fetch(`${baseUrl}/${path}`, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([nothing.status, nothing.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(await nothing.text()).toContain(`<base href="${path.includes("/") ? "../" : "./"}"`);
    expect((await fetch(`${baseUrl}/${path}`)).headers.get("content-type")).toMatch(/json/);
  }
  expect((await fetch(`${baseUrl}/`, { method: "POST", body: "{}" })).status).toBe(400);
});
