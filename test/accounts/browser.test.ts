import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { createOrganization, createPerson } from "../kit/calls/person.ts";
import { startTestSites, type TestSites } from "../kit/servers/testSites.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

let sites: TestSites;
beforeAll(async () => {
  sites = await startTestSites(() => "");
});
afterAll(() => sites?.close());

/** The service on a host whose subdomains are the same site, so that the browser sends the cookie from their pages too. */
const { port } = new URL(inject("lookout").baseUrl);
const service = `http://stats.example:${port}`;

/** A browser with a signed-in user, on a page of the service. */
async function signedInPage(): Promise<{ page: Page; organizationId: string }> {
  const organizationId = await createOrganization("Before");
  const { email, password } = await createPerson({ organizationId });
  // What other sites are refused is an error in its console.
  const page = await openTab({ baseUrl: service, path: "/healthz", isUnchecked: true });
  expect(await post(page, "/auth/sign-in", { email, password })).toBe("200");
  return { page, organizationId };
}

/** The answer of a call as the page's script sees it. */
function post(page: Page, url: string, body: object, init: object = {}): Promise<string> {
  return page.evaluate(
    async (address, text, more) => {
      try {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(address, { method: "POST", body: text, headers, credentials: "include", ...more });
        return String(answer.status);
      } catch (error) {
        return String(error);
      }
    },
    url,
    JSON.stringify(body),
    init,
  );
}

async function nameOf(organizationId: string): Promise<string> {
  return await inDatabase(async (database) => {
    const { rows } = await database.query("SELECT name FROM organizations WHERE id = $1", [organizationId]);
    return rows[0].name;
  });
}

test("the service's own page acts for the person, and scripts cannot read the cookie", async () => {
  const { page, organizationId } = await signedInPage();
  expect(await page.evaluate("document.cookie")).toBe("");
  expect(await post(page, "/auth/organization/rename", { name: "After" })).toBe("200");
  expect(await nameOf(organizationId)).toBe("After");
});

test.each(["evil.stats.example", "evil.example"])("a page of %s can neither read nor change anything", async (host) => {
  const { page, organizationId } = await signedInPage();
  await page.goto(sites.pageUrl(host, "/"));
  const rename = `${service}/auth/organization/rename`;
  // With a preflight, which does not allow cookies.
  expect(await post(page, rename, { name: "Evil" })).toContain("Failed to fetch");
  // Without a preflight: the request is sent, with the cookie if the site is the same.
  const plain = { mode: "no-cors", headers: { "content-type": "text/plain" } };
  expect(await post(page, rename, { name: "Evil" }, plain)).toBe("0");
  const read = await page.evaluate(
    (address) => fetch(address, { credentials: "include" }).then((answer) => answer.text(), String),
    `${service}/auth/session`,
  );
  expect(read).toContain("Failed to fetch");
  const [answer] = await Promise.all([
    page.waitForNavigation(),
    page.evaluate((address) => {
      const form = document.createElement("form");
      Object.assign(form, { method: "POST", action: address, enctype: "text/plain" });
      const field = document.createElement("input");
      Object.assign(field, { name: '{"name": "Evil', value: '"}' });
      form.append(field);
      document.body.append(form);
      form.submit();
    }, rename),
  ]);
  expect(answer?.status()).toBe(host === "evil.stats.example" ? 403 : 401);
  expect(await nameOf(organizationId)).toBe("Before");
  await page.goto(`${service}/healthz`);
  expect(await post(page, "/auth/organization/rename", { name: "Still signed in" })).toBe("200");
});
