import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requirementOf } from "../../src/access/requirement.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { handlers } from "../../src/main/handlers.ts";
import { chrome, create, follow, type ShownLink } from "../kit/calls/linkCalls.ts";
import { createPerson } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type OidcProvider, startOidcProvider } from "../kit/servers/oidcProvider.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";

// The list is that of the OWASP Secure Headers Project and of its cheat sheets on REST security, session management and HTTP headers, as far as
// it concerns what is served here: JSON, redirects, files, and pages without scripts.

/** As behind a proxy that terminates TLS. */
const publicUrl = "https://lookout.example";

let provider: OidcProvider;
let secure: OwnServer;
let plain: OwnServer;
let website: TestWebsite;
let link: ShownLink;
let locked: ShownLink;

beforeAll(async () => {
  provider = await startOidcProvider();
  const { issuer, clientId, clientSecret } = provider;
  const oidc = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  [secure, plain] = await Promise.all([
    startOwnServer(handlers, { BASE_URL: publicUrl, RATE_LIMIT_MISSES: "0", RATE_LIMIT_ANONYMOUS: "0", ...oidc }),
    startOwnServer(handlers),
  ]);
  website = await createWebsite();
  link = await create({}, website);
  locked = await create({ password: "open sesame" }, website);
});

afterAll(async () => {
  await Promise.all([secure?.close(), plain?.close()]);
  await provider?.close();
});

const routes = services.flatMap(({ methods }) =>
  methods.flatMap((method) => {
    if (!hasOption(method, http)) return [];
    const { pattern } = getOption(method, http);
    const path = String(pattern.value).replace(/\{\w+\}/g, "x");
    return { verb: pattern.case?.toUpperCase() ?? "", path, needed: requirementOf(method) };
  }),
);

const strangers = { origin: "https://stranger.example", "sec-fetch-site": "cross-site" };

/** Every kind of answer: each path without credentials and with an owner's key, and paths outside the contract. */
async function everyAnswer(): Promise<{ name: string; status: number; headers: Headers }[]> {
  const { baseUrl } = secure;
  const others = ["/healthz", "/metrics", "/openapi.json", "/tracker.js", "/", "/nothing-here", `/l/${link.slug}/qr`];
  const requests = [
    ...routes.map(({ verb, path }) => ({ verb, path, apiKey: undefined })),
    ...routes.map(({ verb, path }) => ({ verb, path, apiKey: website.apiKey })),
    ...others.map((path) => ({ verb: "GET", path, apiKey: undefined })),
    { verb: "PUT", path: "/v1/query", apiKey: undefined },
  ];
  const answers = requests.map(async ({ verb, path, apiKey }) => {
    const answer = await send(verb, path, {
      baseUrl,
      ...(verb === "GET" ? {} : { body: {} }),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return { name: `${verb} ${path}${apiKey === undefined ? "" : " with a key"}`, ...answer };
  });
  return await Promise.all(answers);
}

test("OWASP: no answer names its software, all bodies have a type and nosniff, and https answers have HSTS", async () => {
  const answers = await everyAnswer();
  expect(answers.length).toBeGreaterThan(180);
  for (const { name, headers } of answers) {
    for (const header of ["server", "x-powered-by", "x-aspnet-version", "via"])
      expect(headers.get(header), name).toBe(null);
    expect(headers.get("x-content-type-options"), name).toBe("nosniff");
    expect(headers.get("strict-transport-security"), name).toBe("max-age=31536000");
  }
});

test("OWASP: JSON is not cached, and names its character set", async () => {
  const answers = (await everyAnswer()).filter(({ headers }) => headers.get("content-type")?.includes("json"));
  expect(answers.length).toBeGreaterThan(150);
  for (const { name, headers } of answers) {
    // The document is the same for all, and may be kept to be asked for with its tag.
    expect(headers.get("cache-control"), name).toBe(name === "GET /openapi.json" ? "no-cache" : "no-store");
    expect(headers.get("content-type"), name).toBe("application/json; charset=utf-8");
  }
});

test("OWASP: answers with credentials are not cached, over JSON and Connect", async () => {
  const { baseUrl } = secure;
  const body = { name: "Shown once", scopes: ["read:data"] };
  const { email, password } = await createPerson({ organizationId: website.organizationId });
  const origin = new URL(baseUrl).origin;
  const answers = [
    await send("POST", "/api-keys/create", { body, apiKey: website.apiKey, baseUrl }),
    await send("POST", "/lookout.v1.ApiKeyService/CreateApiKey", { body, apiKey: website.apiKey, baseUrl }),
    await send("POST", "/auth/sign-in", { body: { email, password }, headers: { origin }, baseUrl }),
  ];
  for (const { status, headers } of answers) {
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("OWASP: a page loads, runs and frames nothing, cannot be framed, and sends no referrer", async () => {
  const pages = [
    await follow("no-such-link-here", { baseUrl: secure.baseUrl }),
    await follow(locked.slug, { baseUrl: secure.baseUrl }),
    await follow(locked.slug, {
      baseUrl: secure.baseUrl,
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "password=wrong",
    }),
  ];
  expect(pages.map(({ status }) => status)).toEqual([404, 401, 401]);
  for (const { headers } of pages) {
    const policy = new Map(
      String(headers["content-security-policy"])
        .split("; ")
        .map((directive) => [directive.split(" ", 1)[0], directive.slice(directive.indexOf(" ") + 1)]),
    );
    expect(policy.get("default-src")).toBe("'none'");
    expect(policy.get("frame-ancestors")).toBe("'none'");
    expect(policy.get("base-uri")).toBe("'none'");
    expect([...policy.values()].join(" ")).not.toMatch(/unsafe|\*|data:/);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "strict-transport-security": "max-age=31536000",
    });
  }
});

test("OWASP: a redirect is not cached, has no body and has HSTS; a picture runs no script", async () => {
  const answer = await follow(link.slug, { baseUrl: secure.baseUrl });
  expect(answer).toMatchObject({ status: 302, text: "" });
  expect(answer.headers).toMatchObject({
    "cache-control": "private, no-store",
    "strict-transport-security": "max-age=31536000",
  });
  const picture = await send("GET", `/l/${link.slug}/qr`, { baseUrl: secure.baseUrl });
  expect(picture.headers.get("content-security-policy")).toBe("default-src 'none'");
});

test("OWASP: cookies are __Host-, Secure, HttpOnly and SameSite; none is set outside of sign-in", async () => {
  const { baseUrl } = secure;
  const { email, password } = await createPerson({ organizationId: website.organizationId });
  const signedIn = await send("POST", "/auth/sign-in", {
    body: { email, password },
    headers: { origin: publicUrl },
    baseUrl,
  });
  const [cookie = ""] = signedIn.headers.getSetCookie();
  const signedOut = await send("POST", "/auth/sign-out", {
    body: {},
    headers: { origin: publicUrl, cookie: cookie.split(";", 1)[0] ?? "" },
    baseUrl,
  });
  const started = await fetch(`${baseUrl}/auth/oidc/start`, { redirect: "manual" });
  const cookies = [signedIn, signedOut, started].map(({ headers }) => headers.getSetCookie());
  for (const some of cookies) expect(some.length).toBeGreaterThan(0);
  for (const one of cookies.flat()) {
    const attributes = one.split("; ").slice(1);
    expect(attributes, one).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Secure", "Path=/"]));
    expect(
      attributes.filter((attribute) => attribute.startsWith("Domain")),
      one,
    ).toEqual([]);
  }
  for (const { name, headers } of await everyAnswer())
    expect(
      headers.getSetCookie().filter((one) => !/Max-Age=0/i.test(one)),
      name,
    ).toEqual([]);
});

test("OWASP: pages of other origins may send cookies only on calls that ignore them, and preflights agree", async () => {
  const { baseUrl } = secure;
  for (const { verb, path, needed } of routes) {
    const options = { baseUrl, headers: strangers, ...(verb === "GET" ? {} : { body: {} }) };
    const answer = await send(verb, path, options);
    const preflight = await send("OPTIONS", path, {
      baseUrl,
      headers: { ...strangers, "access-control-request-method": verb },
    });
    for (const { headers } of [answer, preflight]) {
      if (headers.get("access-control-allow-credentials") !== null)
        expect(`${verb} ${path}: ${needed.open && !needed.cookie}`).toBe(`${verb} ${path}: true`);
      expect(headers.get("access-control-expose-headers"), path).toContain("X-RateLimit-Remaining");
      // Else a cache would answer one origin with another origin's headers.
      expect(headers.get("vary"), path).toContain("Origin");
    }
  }
  for (const path of ["/openapi.json", "/metrics", "/nothing-here", "/lookout.v1.ApiKeyService/ListApiKeys"]) {
    const { headers } = await send(path.startsWith("/lookout") ? "POST" : "GET", path, { baseUrl, headers: strangers });
    expect(headers.get("access-control-allow-credentials"), path).toBe(null);
  }
  const anonymous = await send("POST", "/websites/list", { baseUrl, headers: { origin: "null" }, body: {} });
  expect(anonymous.headers.get("access-control-allow-credentials")).toBe(null);
});

test("RFC 6797: without https there is no HSTS header", async () => {
  expect((await send("GET", "/healthz", { baseUrl: plain.baseUrl })).headers.get("strict-transport-security")).toBe(
    null,
  );
  expect((await follow(link.slug, { baseUrl: plain.baseUrl })).headers).not.toHaveProperty("strict-transport-security");
});

test("OWASP: input that is not HTTP gets an answer that does not name the software; TRACE is refused", async () => {
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(plain.port, "127.0.0.1", () => socket.end("GET / HTTP/1.1\r\nbad header\r\n\r\n"));
    let answer = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      answer += part;
    });
    socket.on("error", reject).on("close", () => resolve(answer));
  });
  expect(text).toMatch(/^HTTP\/1.1 400 /);
  expect(text).toMatch(/x-content-type-options: nosniff/);
  expect(text).not.toMatch(/server:|x-powered-by|node/i);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    httpRequest(
      `${plain.baseUrl}/websites/list`,
      { method: "TRACE", headers: { "user-agent": chrome } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    )
      .on("error", reject)
      .end();
  });
  expect(status).toBe(405);
});
