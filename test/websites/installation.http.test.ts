import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";

/** A website at localhost: what it answers is set by each test. */
let site: Server;
let address: string;
let page: { status?: number; headers?: Record<string, string>; body?: string | Buffer } = {};
let own: OwnServer;
let website: TestWebsite;

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/" }).end();
    else if (request.url === "/away") response.writeHead(302, { location: "http://[::1]:1/" }).end();
    else {
      const { status = 200, headers = {}, body = "" } = page;
      response.writeHead(status, { "content-type": "text/html", ...headers }).end(body);
    }
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  own = await startOwnServer(handlers, { UPTIME_ALLOW_CIDRS: "127.0.0.0/8" });
  website = await createWebsite({ domain: "127.0.0.1" });
});
afterAll(async () => {
  await own?.close();
  site?.closeAllConnections();
  site?.close();
});

const check = async (path = "/", { apiKey } = website, baseUrl = own.baseUrl) =>
  await send("POST", "/websites/installation/check", {
    baseUrl,
    apiKey,
    body: { id: website.websiteId, url: `${address}${path}` },
  });
const tag = (id: string) => `<script defer src="${own.baseUrl}/tracker.js" data-website-id="${id}"></script>`;

test("a page with the tag is ready, also after a redirect and packed", async () => {
  page = { body: gzipSync(tag(website.websiteId)), headers: { "content-encoding": "gzip" } };
  const expected = {
    result: "ready",
    address: `${address}/`,
    httpStatus: 200,
    foundId: "",
    directive: "",
    neededSource: "",
  };
  expect(await check()).toMatchObject({ status: 200, body: expected });
  expect((await check("/moved")).body).toEqual(expected);
});

test("what is wrong is named", async () => {
  page = { body: "<p>Hello</p>" };
  expect((await check()).body).toMatchObject({ result: "script_missing" });
  page = { body: tag("another") };
  expect((await check()).body).toMatchObject({ result: "other_website", foundId: "another" });
  page = { body: tag(website.clientId), headers: { "content-security-policy": "default-src 'self'" } };
  expect((await check()).body).toMatchObject({
    result: "script_blocked",
    directive: "default-src",
    neededSource: own.baseUrl,
  });
  page = { status: 503, body: tag(website.websiteId) };
  expect((await check()).body).toMatchObject({ result: "no_page", httpStatus: 503 });
  page = { headers: { "content-type": "application/json" }, body: "{}" };
  expect((await check()).body).toMatchObject({ result: "no_page", httpStatus: 200 });
});

test("addresses that are not public are refused, also behind a redirect, and so are other domains", async () => {
  expect((await check("/away")).body).toMatchObject({ result: "address_refused" });
  const strict = await startOwnServer(handlers, {});
  try {
    expect((await check("/", website, strict.baseUrl)).body).toMatchObject({ result: "address_refused" });
  } finally {
    await strict.close();
  }
  for (const url of ["https://other.example/", "http://127.0.0.1.example.com/", "ftp://127.0.0.1/", "x"])
    expect(
      await send("POST", "/websites/installation/check", {
        baseUrl: own.baseUrl,
        apiKey: website.apiKey,
        body: { id: website.websiteId, url },
      }),
      url,
    ).toMatchObject({ status: 400, body: { details: [{ field: "url" }] } });
});

test("it needs the scope update, and a website of one's own", async () => {
  const reader = await createKey({ organizationId: website.organizationId, scopes: ["read:data"] });
  expect((await check("/", { ...website, apiKey: reader })).status).toBe(403);
  expect((await check("/", await createWebsite())).status).toBe(404);
});

test("a closed port is no answer", async () => {
  const answer = await send("POST", "/websites/installation/check", {
    baseUrl: own.baseUrl,
    apiKey: website.apiKey,
    body: { id: website.websiteId, url: "http://127.0.0.1:1/" },
  });
  expect(answer.body).toMatchObject({ result: "unreachable", address: "http://127.0.0.1:1/", httpStatus: 0 });
});
