import { request } from "node:http";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { BadRequestSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";
import { DataService, type DownloadExportResponse } from "../../../src/gen/lookout/v1/data_pb.ts";
import { handlers } from "../../../src/main/handlers.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { startOwnServer } from "../../kit/stack/ownServer.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { addressOf, ended, hasFiles, type ShownExport, show, start } from "./exportCalls.ts";
import { insertEvents, sourceEvents } from "./exportSource.ts";

const { baseUrl } = inject("lookout");
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const fromMs = noonDaysAgo(10);
const days = { start_date: dayOf(fromMs), end_date: dayOf(fromMs) };

let website: TestWebsite;
let shown: ShownExport;
let address: string;
let whole: Buffer;

beforeAll(async () => {
  website = await createWebsite({ domain: "shop.example" });
  const questdb = openQuestdb();
  await insertEvents(questdb, sourceEvents(200, website.websiteId, fromMs, 1_000), website.websiteId);
  await questdb.close();
  shown = await ended(await start(website.websiteId, days, website), website);
  address = addressOf(shown);
  whole = Buffer.from(await (await fetch(address)).arrayBuffer());
});

const get = (headers: Record<string, string> = {}, url = address, method = "GET") => fetch(url, { headers, method });

describe("4.19: the download of an export", () => {
  test("needs no credentials besides its URL, and sends type, name, size and Accept-Ranges", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await get({}, address, method);
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": "application/zip",
        "content-disposition": `attachment; filename="shop.example_${days.start_date}_${days.end_date}.zip"`,
        "content-length": String(whole.length),
        "accept-ranges": "bytes",
        etag: `"${shown["sha256"]}"`,
      });
    }
    expect(whole.length).toBe(shown["bytes"]);
    const lifeMs = Date.parse(String(shown["expires_at"])) - Date.parse(String(shown["estimated_completion"]));
    expect(lifeMs).toBe(7 * 86_400_000);
  });

  test("over gRPC, gRPC-Web and Connect its messages hold the file, and no header speaks of another length", async () => {
    const { pathname, searchParams } = new URL(address);
    const named = { exportId: pathname.split("/").at(-2) ?? "", signature: searchParams.get("signature") ?? "" };
    for (const [name, transport] of [
      ["gRPC", createGrpcTransport({ baseUrl })],
      ["gRPC-Web", createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
      ["Connect", createConnectTransport({ baseUrl, httpVersion: "1.1" })],
      ["Connect over HTTP/2", createConnectTransport({ baseUrl, httpVersion: "2" })],
    ] as const) {
      let headers = new Headers();
      const pieces: Uint8Array[] = [];
      const onHeader = (sent: Headers) => {
        headers = sent;
      };
      for await (const { data } of createClient(DataService, transport).downloadExport(named, { onHeader }))
        pieces.push(data);
      expect(Buffer.concat(pieces).equals(whole), name).toBe(true);
      expect([name, headers.get("content-length"), headers.get("accept-ranges")]).toEqual([name, null, null]);
      expect(headers.get("etag")).toBe(`"${shown["sha256"]}"`);
    }
  });

  test("over gRPC, gRPC-Web and Connect an offset is where the first message begins, and one past the end is named", async () => {
    const { pathname, searchParams } = new URL(address);
    const named = { exportId: pathname.split("/").at(-2) ?? "", signature: searchParams.get("signature") ?? "" };
    for (const transport of [
      createGrpcTransport({ baseUrl }),
      createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
      createConnectTransport({ baseUrl, httpVersion: "1.1" }),
    ]) {
      const client = createClient(DataService, transport);
      for (const offset of [undefined, 0, 1, 100, whole.length - 1, whole.length]) {
        const request = offset === undefined ? named : { ...named, offset };
        const parts: DownloadExportResponse[] = [];
        for await (const part of client.downloadExport(request)) parts.push(part);
        const begins = parts.map((part) => part.offset);
        expect(begins).toEqual([offset ?? 0, ...begins.slice(1).fill(undefined)]);
        expect(Buffer.concat(parts.map(({ data }) => data)).equals(whole.subarray(offset)), `${offset}`).toBe(true);
      }
      for (const offset of [whole.length + 1, 0.5, -1, 2 ** 53]) {
        const next = client
          .downloadExport({ ...named, offset })
          [Symbol.asyncIterator]()
          .next();
        const error = ConnectError.from(await next.catch((thrown: unknown) => thrown));
        expect(error).toMatchObject({ code: Code.InvalidArgument, message: expect.stringContaining("offset") });
        const [wrong] = error.findDetails(BadRequestSchema);
        expect(wrong?.fieldViolations.map(({ field }) => field)).toEqual(["offset"]);
      }
    }
  });

  test("over HTTP what follows an offset is a file of its own, without ranges and tag, and one past the end is named", async () => {
    for (const offset of [1, 100, whole.length]) {
      const answer = await get({ range: "bytes=0-9" }, `${address}&offset=${offset}`);
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(whole.subarray(offset)), `${offset}`).toBe(true);
      const { headers } = answer;
      const shownHeaders = ["content-length", "content-range", "accept-ranges", "etag"].map((name) =>
        headers.get(name),
      );
      expect(shownHeaders).toEqual([String(whole.length - offset), null, null, null]);
    }
    for (const offset of [whole.length + 1, 0.5, -1, "x"]) {
      const answer = await get({}, `${address}&offset=${offset}`);
      expect([offset, answer.status]).toEqual([offset, 400]);
      expect(await answer.json()).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field: "offset" }] });
    }
  });

  test.for([
    ["bytes=0-9", 0, 10],
    ["bytes=100-", 100, undefined],
    ["bytes=-22", -22, undefined],
    ["bytes=5-99999999999", 5, undefined],
    ["bytes=-99999999999", 0, undefined],
  ] as const)("a range %s is answered with 206 and these bytes", async ([range, from, to]) => {
    const answer = await get({ range });
    const wanted = whole.subarray(from, to);
    expect(answer.status).toBe(206);
    expect(Buffer.from(await answer.arrayBuffer()).equals(wanted)).toBe(true);
    const first = from < 0 ? whole.length + from : from;
    expect(answer.headers.get("content-range")).toBe(`bytes ${first}-${first + wanted.length - 1}/${whole.length}`);
    expect(answer.headers.get("content-length")).toBe(String(wanted.length));
  });

  test("a range past the end is answered with 416 and the size", async () => {
    for (const range of [`bytes=${whole.length}-`, "bytes=-0"]) {
      const answer = await get({ range });
      expect(answer.status).toBe(416);
      expect(answer.headers.get("content-range")).toBe(`bytes */${whole.length}`);
      expect(await answer.json()).toMatchObject({ success: false, code: "VALIDATION_ERROR" });
    }
  });

  test("an invalid range, several ranges, and a range of another file are answered with all of it", async () => {
    const ranges: Record<string, string>[] = [
      { range: "bytes=9-5" },
      { range: "bytes=0-1,3-4" },
      { range: "lines=1-2" },
      { range: "bytes=0-1", "if-range": '"other"' },
    ];
    for (const headers of ranges) {
      const answer = await get(headers);
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(whole)).toBe(true);
    }
    const same = await get({ range: "bytes=0-1", "if-range": String(answerTag()) });
    expect(same.status).toBe(206);
    await same.arrayBuffer();
  });

  test("an interrupted download continues where it stopped", async () => {
    const half = await new Promise<Buffer>((resolve, reject) => {
      const outgoing = request(address, (response) => {
        response.once("data", (piece: Buffer) => {
          response.destroy();
          resolve(piece.subarray(0, 1_000));
        });
      });
      outgoing.on("error", reject);
      outgoing.end();
    });
    const rest = await get({ range: `bytes=${half.length}-`, "if-range": String(answerTag()) });
    expect(Buffer.concat([half, Buffer.from(await rest.arrayBuffer())]).equals(whole)).toBe(true);
  });

  test("a wrong, missing or other export's signature is answered with 403, an unknown export too", async () => {
    const otherId = await start(website.websiteId, days, website);
    const { pathname, search } = new URL(address);
    const last = address.at(-1) === "A" ? "B" : "A";
    for (const wrong of [
      `${address}x`,
      `${address.slice(0, -1)}${last}`,
      `${baseUrl}${pathname}?signature=`,
      `${baseUrl}${pathname}`,
      `${baseUrl}/v1/exports/${otherId}/download${search}`,
      `${baseUrl}/v1/exports/nothing/download${search}`,
      address.replace("signature=", "signature=1"),
    ]) {
      const answer = await get({}, wrong);
      expect(answer.status, wrong).toBe(403);
      expect(await answer.json()).toMatchObject({ success: false, code: "ACCESS_DENIED" });
    }
    await ended(otherId, website);
  });

  test("the audit log names its creator and shows uses of its URL, at most once a minute", async () => {
    const answer = await send("POST", "/audit/list", { body: { objectId: shown.export_id }, apiKey: website.apiKey });
    const { entries } = answer.body as { entries: { action: string; actorType: string; actorId: string }[] };
    expect(entries.map(({ action, actorType }) => ({ action, actorType }))).toEqual([
      { action: "export.download", actorType: "signed_url" },
      { action: "export.create", actorType: "api_key" },
    ]);
    expect(JSON.stringify(entries)).not.toContain(new URL(address).searchParams.get("signature"));
  });
});

describe("part 8: an export is kept for a time", () => {
  const server = { baseUrl: "", close: async () => {} };
  beforeAll(async () => {
    const { dataDir } = inject("lookout");
    Object.assign(server, await startOwnServer(handlers, { EXPORT_VALID_MS: "10000", DATA_DIR: dataDir }));
  });
  afterAll(async () => await server.close());

  test("then it is expired, its URL is answered with 410 and its files are gone", async () => {
    const id = await start(website.websiteId, days, website, server);
    const done = await ended(id, website);
    expect(done).toMatchObject({ status: "completed" });
    const there = await get({}, addressOf(done));
    expect(there.status).toBe(200);
    await there.arrayBuffer();

    await expect.poll(async () => (await show(id, website)).status).toBe("expired");
    expect(await show(id, website)).toMatchObject({ download_url: null, progress: 100 });
    const gone = await get({}, addressOf(done));
    expect(gone.status).toBe(410);
    expect(await gone.json()).toMatchObject({
      success: false,
      code: "NOT_FOUND",
      error: expect.stringContaining("new export"),
    });
    await expect.poll(() => hasFiles(id)).toBe(false);
    expect(await hasFiles(shown.export_id), "another one's").toBe(true);
  });
});

function answerTag(): string {
  return `"${shown["sha256"]}"`;
}
