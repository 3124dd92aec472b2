import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type CallOptions, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import {
  BatchRequestSchema,
  BatchResponseSchema,
  EventSchema,
  IngestService,
  TrackRequestSchema,
} from "../../../src/gen/lookout/v1/ingest_pb.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { FuzzClient, inParallel } from "../../kit/messages/fuzzClient.ts";
import { mutate } from "../../kit/messages/mutation.ts";
import { Random } from "../../kit/messages/random.ts";
import { validMessage } from "../../kit/messages/validMessage.ts";
import { type ApiProcess, startApiProcess } from "../../kit/stack/apiProcess.ts";
import { isApplied, sql } from "../../kit/stores/eventStore.ts";
import { whenStored } from "../../kit/stores/whenStored.ts";

const seed = 1;
const calls = 1_500;
const inFlight = 100;

let api: ApiProcess;
let website: TestWebsite;

beforeAll(async () => {
  api = await startApiProcess({ LOG_LEVEL: "error" });
  website = await createWebsite();
});

afterAll(() => api.stop());

/** An event that is stored with its id, whatever the other events of the batch are. */
function goodEvent(eventId: string): MessageShape<typeof EventSchema> {
  return create(EventSchema, { payload: { case: "flat", value: { eventId, name: "signup" } } });
}

/** A valid message with up to three changes. */
function mutated<Desc extends DescMessage>(desc: Desc, random: Random): MessageShape<Desc> {
  // It generates messages of the given type, which its own types cannot express.
  const message = validMessage(desc, random) as MessageShape<Desc>;
  for (let changes = random.whole(1, 3); changes > 0; changes--) mutate(desc, message, random);
  return message;
}

const ours = new Set([Code.Internal, Code.Unknown, Code.Unavailable, Code.DataLoss, Code.DeadlineExceeded]);

/** The error of a call, which must be the caller's. */
async function callersError(call: Promise<unknown>): Promise<string[]> {
  try {
    await call;
    return [];
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    return ours.has(error.code) ? [error.message] : [];
  }
}

async function storedIds(): Promise<ReadonlySet<unknown>> {
  const { questdbHttp } = inject("lookout");
  await whenStored(api);
  await isApplied(questdbHttp);
  const rows = await sql(questdbHttp, `SELECT event_id FROM events WHERE website_id = '${website.websiteId}'`);
  return new Set(rows.map((row) => row["event_id"]));
}

/** As one text, which the first line of a failure shows. */
const shown = (problems: readonly string[]) => problems.slice(0, 5).join("\n");

function expectAlive(): void {
  expect(api.child.exitCode).toBe(null);
  expect(api.output()).toBe("");
}

describe("7: no message over gRPC crashes the service or fails other events of its batch", () => {
  test(`${calls} batches with mutated events: each valid event is stored, each refused one names its field`, async () => {
    const client = createClient(IngestService, createGrpcTransport({ baseUrl: api.baseUrl }));
    const problems: string[] = [];
    await inParallel(calls, inFlight, async (index) => {
      const random = new Random(seed * 1_000_003 + index);
      const request = create(BatchRequestSchema, { websiteId: website.websiteId });
      request.events.push(goodEvent(`a${index}`), mutated(EventSchema, random), goodEvent(`b${index}`));
      const { results } = await client.batch(request);
      const isGood = results[0]?.status === "success" && results[2]?.status === "success";
      const message = results[1]?.message ?? "";
      const isNamed = results[1]?.status === "success" || /^[a-zA-Z_.[\]\d]+ /.test(message);
      if (!isGood || !isNamed || results.length !== 3)
        problems.push(`seed ${seed}, call ${index}: ${JSON.stringify(results)}`);
    });
    expect(shown(problems)).toBe("");
    expectAlive();
    const sent = Array.from({ length: calls }, (_, index) => [`a${index}`, `b${index}`]).flat();
    const stored = await storedIds();
    expect(sent.filter((id) => !stored.has(id)).slice(0, 5)).toEqual([]);
  });

  test(`${calls} mutated requests of Track: none causes an internal error`, async () => {
    const client = createClient(IngestService, createGrpcTransport({ baseUrl: api.baseUrl }));
    const options: CallOptions = { headers: { authorization: `Bearer ${website.apiKey}` } };
    const problems: string[] = [];
    await inParallel(calls, inFlight, async (index) => {
      const random = new Random(seed * 1_000_003 + index);
      const request = mutated(TrackRequestSchema, random);
      if (random.chance(0.9)) request.websiteId = website.websiteId;
      const errors = await callersError(client.track(request, options));
      problems.push(...errors.map((error) => `seed ${seed}, call ${index}: ${error}`));
    });
    expect(shown(problems)).toBe("");
    expectAlive();
  });

  test(`${calls} binary messages with changed bytes: a readable one causes no internal error, and an answer of success is complete`, async () => {
    const client = new FuzzClient(api.baseUrl, inFlight);
    const problems: string[] = [];
    await inParallel(calls, inFlight, async (index) => {
      const random = new Random(seed * 1_000_003 + index);
      const events = Array.from({ length: random.whole(1, 4) }, (_, at) => goodEvent(`c${index}-${at}`));
      const bytes = toBinary(BatchRequestSchema, create(BatchRequestSchema, { websiteId: website.websiteId, events }));
      for (let changes = random.whole(1, 3); changes > 0; changes--)
        bytes[random.whole(0, bytes.length - 1)] = random.whole(0, 255);
      const length = random.chance(0.2) ? random.whole(0, bytes.length) : bytes.length;
      const headers = { "content-type": "application/proto" };
      const answer = await client.send("POST", "/lookout.v1.IngestService/Batch", headers, bytes.subarray(0, length));
      const where = `seed ${seed}, call ${index}`;
      // What cannot be read is INTERNAL by the rules of gRPC (https://grpc.io/docs/guides/status-codes/), which is 500 in Connect.
      if (answer.status >= 500 && !answer.text.includes('"message":"parse binary'))
        problems.push(`${where}: ${answer.status} ${answer.text}`);
      if (answer.status !== 200) return;
      const { processed, results } = fromBinary(BatchResponseSchema, answer.bytes);
      if (processed !== results.length) problems.push(`${where}: ${processed} events, ${results.length} results`);
    });
    client.close();
    expect(shown(problems)).toBe("");
    expectAlive();
  });
});
