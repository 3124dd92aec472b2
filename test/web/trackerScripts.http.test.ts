import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { expect, inject, test } from "vitest";
import { rawRequest } from "./rawRequest.ts";

const distribution = new URL("../../web/tracker/dist/", import.meta.url);

test.each([
  ["tracker-small.js", 1_000],
  ["tracker.js", 2_797],
  ["tracker-vitals.js", 3_494],
])("%s is at most %i bytes gzipped", async (name, maxBytes) => {
  const script = await readFile(new URL(name, distribution));
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(maxBytes);
});

test("The committed files equal the build", async () => {
  const build = new URL("../../web/build.ts", import.meta.url).pathname;
  await expect(promisify(execFile)(process.execPath, [build, "--check"])).resolves.toMatchObject({ stderr: "" });
});

test("GET /tracker.js is compressed as accepted, cacheable and for every origin", async () => {
  const { baseUrl } = inject("lookout");
  const script = await readFile(new URL("tracker.js", distribution));
  for (const [accept, encoding, open] of [
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip, br;q=0", "gzip", gunzipSync],
    ["identity", undefined, (body: Buffer) => body],
  ] as const) {
    const headers = { "accept-encoding": accept, origin: "https://shop.example" };
    const answer = await rawRequest(`${baseUrl}/tracker.js?v=1`, { headers });
    expect(answer.status).toBe(200);
    expect(open(answer.body)).toEqual(script);
    expect(answer.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-length": String(answer.body.length),
      "cache-control": "public, max-age=3600, stale-while-revalidate=86400",
      "access-control-allow-origin": "*",
      vary: "Accept-Encoding",
    });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    expect(answer.headers["set-cookie"]).toBeUndefined();

    const head = await rawRequest(`${baseUrl}/tracker.js`, { method: "HEAD", headers });
    expect(head).toMatchObject({ status: 200, headers: { etag: answer.headers.etag }, body: Buffer.of() });
    const again = await rawRequest(`${baseUrl}/tracker.js`, {
      headers: { ...headers, "if-none-match": `"other", W/${answer.headers.etag}` },
    });
    expect(again).toMatchObject({ status: 304, headers: { etag: answer.headers.etag }, body: Buffer.of() });
  }
  for (const name of ["tracker-vitals.js", "tracker-small.js"])
    expect((await rawRequest(`${baseUrl}/${name}`, {})).status).toBe(200);
});
