import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { AuthService } from "../../src/gen/lookout/v1/auth_pb.ts";
import { handlers } from "../../src/main/handlers.ts";
import { createOrganization, createPerson, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";

const { baseUrl } = inject("lookout");
const stranger = "https://evil.example";

async function cookieOf(): Promise<string> {
  const browser = await signedIn(await createPerson({ organizationId: await createOrganization() }));
  return browser.cookie() ?? "";
}

describe("a session's cookie is accepted only with proof that the service's own page makes the call", () => {
  const proofs: readonly [string, Record<string, string>, number][] = [
    ["our own Origin", { origin: baseUrl }, 200],
    ["Sec-Fetch-Site same-origin", { "sec-fetch-site": "same-origin" }, 200],
    ["nothing", {}, 403],
    ["a stranger's Origin", { origin: stranger }, 403],
    ["an opaque Origin", { origin: "null" }, 403],
    ["our Origin with another port", { origin: "http://127.0.0.1:1" }, 403],
    ["an Origin that only begins like ours", { origin: `${baseUrl}.evil.example` }, 403],
    ["Sec-Fetch-Site same-site", { "sec-fetch-site": "same-site" }, 403],
    ["Sec-Fetch-Site cross-site", { "sec-fetch-site": "cross-site" }, 403],
    ["a stranger's Origin that claims same-origin", { origin: stranger, "sec-fetch-site": "same-origin" }, 403],
  ];
  test.each(proofs)("with %s", async (_name, headers, status) => {
    const answer = await send("POST", "/websites/list", {
      body: {},
      headers: { cookie: await cookieOf(), ...headers },
    });
    expect(answer.status).toBe(status);
    if (status === 403)
      expect(answer.body).toMatchObject({ code: "FORBIDDEN", error: expect.stringContaining("Origin") });
  });

  test("also on paths that an HTML form could post to", async () => {
    const answer = await send("POST", "/websites/list", {
      body: "{}",
      headers: { cookie: await cookieOf(), origin: stranger, "content-type": "text/plain" },
    });
    expect(answer.status).toBe(403);
  });

  const contentTypes = [
    "application/grpc",
    "application/grpc+proto",
    "application/grpc;charset=utf-8",
    "application/grpc-web+proto",
    "application/grpc-web-text",
    "application/connect+json",
    "application/proto",
    "application/x-www-form-urlencoded",
  ];
  test.each(contentTypes)("on a JSON path the content type %s is no proof", async (contentType) => {
    const { websiteId } = await createWebsite();
    const cookie = await cookieOf();
    const pages: Record<string, string>[] = [{ origin: stranger }, { "sec-fetch-site": "cross-site" }, {}];
    for (const page of pages) {
      const headers = { cookie, "content-type": contentType, ...page };
      const answer = await send("POST", "/websites/update", { body: { id: websiteId, name: "Taken" }, headers });
      expect(answer, JSON.stringify(page)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    }
  });

  test("calls that only read need no proof, and pages of other origins cannot read the answer", async () => {
    const answer = await send("GET", "/auth/session", { headers: { cookie: await cookieOf(), origin: stranger } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("a page of another origin can sign no user in or out", async () => {
    const { email, password } = await createPerson({ organizationId: await createOrganization() });
    const signIn = await send("POST", "/auth/sign-in", { body: { email, password }, headers: { origin: stranger } });
    expect(signIn.status).toBe(403);
    const cookie = await cookieOf();
    expect((await send("POST", "/auth/sign-out", { body: {}, headers: { cookie, origin: stranger } })).status).toBe(
      403,
    );
    expect((await send("POST", "/auth/sign-out", { body: {}, headers: { cookie } })).status).toBe(403);
    expect((await send("GET", "/auth/session", { headers: { cookie } })).status).toBe(200);
  });

  test("a key is used instead of a cookie in the same request", async () => {
    const { apiKey } = await createWebsite();
    const headers = { cookie: await cookieOf(), origin: stranger };
    expect((await send("POST", "/websites/list", { body: {}, apiKey, headers })).status).toBe(200);
  });

  test("events are accepted from any page, with or without cookies", async () => {
    const { websiteId } = await createWebsite();
    const headers = { cookie: await cookieOf(), origin: stranger };
    const answer = await send("POST", `/batch?website_id=${websiteId}`, { body: [], headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
  });
});

describe("over RPC", () => {
  const page = [
    ["Connect", createConnectTransport({ baseUrl, httpVersion: "1.1" })],
    ["Connect over HTTP/2", createConnectTransport({ baseUrl, httpVersion: "2" })],
    ["Connect in JSON", createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false })],
    ["gRPC-Web", createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
    ["gRPC-Web over HTTP/2", createGrpcWebTransport({ baseUrl, httpVersion: "2" })],
  ] as const;
  test.each(page)("%s needs the proof", async (_name, transport) => {
    const cookie = await cookieOf();
    const { listSessions } = createClient(AuthService, transport);
    await expect(listSessions({}, { headers: { cookie } })).rejects.toThrow("own pages");
    await expect(listSessions({}, { headers: { cookie, origin: stranger } })).rejects.toThrow("own pages");
    await expect(listSessions({}, { headers: { cookie, "sec-fetch-site": "cross-site" } })).rejects.toThrow(
      "own pages",
    );
    expect((await listSessions({}, { headers: { cookie, origin: baseUrl } })).sessions).toHaveLength(1);
  });

  test("a page that uses gRPC directly needs the proof too", async () => {
    const cookie = await cookieOf();
    const { listSessions } = createClient(AuthService, createGrpcTransport({ baseUrl }));
    await expect(listSessions({}, { headers: { cookie, origin: stranger } })).rejects.toThrow("own pages");
    await expect(listSessions({}, { headers: { cookie, "sec-fetch-site": "cross-site" } })).rejects.toThrow(
      "own pages",
    );
    expect((await listSessions({}, { headers: { cookie, origin: baseUrl } })).sessions).toHaveLength(1);
  });

  test("gRPC clients without an Origin header need no proof", async () => {
    const client = createClient(AuthService, createGrpcTransport({ baseUrl }));
    const { email, password } = await createPerson({ organizationId: await createOrganization() });
    let cookie = "";
    const { session } = await client.signIn(
      { email, password },
      { onHeader: (headers) => (cookie = headers.get("set-cookie")?.split(";", 1)[0] ?? "") },
    );
    expect(session).toMatchObject({ email, role: "owner" });
    const headers = { cookie };
    expect((await client.getSession({}, { headers })).session).toEqual(session);
    expect((await client.listSessions({}, { headers })).sessions).toMatchObject([{ id: session?.id, current: true }]);
    await client.signOut({}, { headers });
    await expect(client.getSession({}, { headers })).rejects.toThrow("Sign in");
    await expect(client.signIn({ email, password: "wrong" })).rejects.toThrow("wrong");
  });
});

describe("TRUSTED_ORIGINS", () => {
  let own: OwnServer;
  beforeAll(async () => {
    own = await startOwnServer(handlers, { TRUSTED_ORIGINS: "https://app.example.com" });
  });
  afterAll(() => own?.close());

  test("allows pages of other origins to act for users", async () => {
    const headers = { cookie: await cookieOf(), origin: "https://app.example.com" };
    const answer = await send("POST", "/websites/list", { baseUrl: own.baseUrl, body: {}, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
    const preflight = await send("OPTIONS", "/websites/list", {
      baseUrl: own.baseUrl,
      headers: { origin: "https://app.example.com", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-credentials")).toBe("true");
  });
});
