import { expect, test } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite } from "../kit/calls/website.ts";

const anyRequestId = expect.stringMatching(/^req_[0-9a-z]+$/);
const today = { preset: "today", parameters: ["page_views"] };

test("part 5 rule 7, part 7: without credentials AUTH_REQUIRED, before the body is validated", async () => {
  const { websiteId } = await createWebsite();
  for (const body of [today, { parameters: "garbage" }, "{not json"]) {
    const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { body });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.body).toEqual({
      success: false,
      error:
        "Send an API key as 'Authorization: Bearer <key>' or 'x-api-key: <key>', or sign in and send the session's cookie",
      code: "AUTH_REQUIRED",
      requestId: anyRequestId,
    });
  }
});

test("part 5 rule 7: an unknown, expired or revoked key gets INVALID_API_KEY, in either header", async () => {
  const { websiteId, organizationId } = await createWebsite();
  const bad = [
    ["lk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", /^There is no such API key/],
    ["nonsense", /typing error/],
    [await createKey({ organizationId, expired: true }), /has expired/],
    [await createKey({ organizationId, revoked: true }), /was revoked/],
  ] as const;
  for (const [key, error] of bad)
    for (const [name, value] of [
      ["authorization", `Bearer ${key}`],
      ["x-api-key", key],
    ] as const) {
      const headers = { [name]: value };
      const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { body: today, headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
      expect(answer.body).toEqual({
        success: false,
        error: expect.stringMatching(error),
        code: "INVALID_API_KEY",
        requestId: anyRequestId,
      });
    }
});

test("part 5 rule 7: a key without the scope gets ACCESS_DENIED that names the scope", async () => {
  const { websiteId, organizationId } = await createWebsite();
  const apiKey = await createKey({ organizationId, scopes: ["write:events"] });
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { body: today, apiKey });
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual({
    success: false,
    error: "This API key lacks the scope read:data. Use a key that has it",
    code: "ACCESS_DENIED",
    requestId: anyRequestId,
  });
});

test("part 7: every invalid field is named, with a suggestion if one is near", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, {
    apiKey,
    body: { ...today, limit: 0, page: "x", filters: [{ field: "path", op: "startswith", value: "/" }] },
  });
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    success: false,
    error: expect.stringContaining("filters[0].op must be one of"),
    code: "VALIDATION_ERROR",
    requestId: anyRequestId,
    details: [
      {
        field: "filters[0].op",
        message:
          "must be one of eq, ne, contains, not_contains, starts_with, ends_with, matches, in, not_in, is_empty, is_not_empty, is empty, is not empty",
        suggestion: "starts_with",
      },
      { field: "limit", message: "must be a whole number from 1 to 10000" },
      { field: "page", message: "must be a whole number of at least 0" },
    ],
  });
});

test("part 7: a body that is not JSON is VALIDATION_ERROR", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body: '{"parameters": [' });
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    success: false,
    error: "The request body is not valid JSON (RFC 8259)",
    code: "VALIDATION_ERROR",
    requestId: anyRequestId,
    details: [{ field: "", message: "body is not valid JSON (RFC 8259)" }],
  });
});

test("section 8 of the limits: a body over 1 MiB is 413 with VALIDATION_ERROR, and the server keeps serving", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, {
    apiKey,
    body: `"${"x".repeat(1_048_576)}"`,
  });
  expect(answer.status).toBe(413);
  expect(answer.body).toEqual({
    success: false,
    error: "The body is larger than 1048576 bytes",
    code: "VALIDATION_ERROR",
    requestId: anyRequestId,
    details: [{ field: "", message: "must be at most 1048576 bytes" }],
  });
  expect((await send("GET", "/healthz")).body).toEqual({ status: "ok" });
});

test("part 7: an unknown path is NOT_FOUND", async () => {
  const answer = await send("GET", "/v1/nothing");
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({
    success: false,
    error: "There is nothing at this path. GET /docs shows the paths, GET /openapi.json lists them",
    code: "NOT_FOUND",
    requestId: anyRequestId,
  });
});

test("RFC 9110 section 15.5.6: a wrong method is 405 with Allow", async () => {
  const answer = await send("GET", "/v1/query");
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
  expect(answer.body).toEqual({
    success: false,
    error: "GET is not allowed here. Use POST",
    code: "VALIDATION_ERROR",
    requestId: anyRequestId,
  });
});

test("part 7: each answer names its request in the body and in X-Request-Id", async () => {
  const answer = await send("GET", "/v1/query");
  expect(answer.body).toMatchObject({ requestId: answer.headers.get("x-request-id") });
});

test("RFC 8259: a byte order mark, duplicate members and __proto__ do no harm", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const body = `\ufeff{"parameters":["nothing"],"parameters":["page_views"],"preset":"today"}`;
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ success: true, data: [{ parameter: "page_views", success: true }] });
  const proto = `{"__proto__":{"parameters":["x"]},"parameters":["page_views"],"preset":"today"}`;
  expect(await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body: proto })).toMatchObject({
    status: 400,
    body: { details: [{ field: "__proto__" }] },
  });
});

test("RFC 9110 section 15.5.2: a 401 about a session or a password has a challenge too", async () => {
  const wrong = await send("POST", "/auth/sign-in", {
    body: { email: "nobody@example.com", password: "wrong-password" },
  });
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get("www-authenticate")).toBe("Password");
  const withoutSession = await send("GET", "/auth/session");
  expect(withoutSession.status).toBe(401);
  expect(withoutSession.headers.get("www-authenticate")).toBe("Session");
});

test("part 7: text that PostgreSQL cannot store is refused with the field's name", async () => {
  const token = "a\u0000b";
  const password = "a long password";
  const calls = [
    ["/auth/sign-in", { email: `${token}@example.com`, password }, "email"],
    ["/auth/reset-password", { token, newPassword: password }, "token"],
  ] as const;
  for (const [path, body, field] of calls) {
    const answer = await send("POST", path, { body });
    expect(answer.status, path).toBe(400);
    expect(answer.body, path).toEqual({
      success: false,
      error: `${field} must not hold the character U+0000`,
      code: "VALIDATION_ERROR",
      requestId: anyRequestId,
      details: [{ field, message: "must not hold the character U+0000" }],
    });
  }
});
