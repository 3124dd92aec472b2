import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type MailServer, startMailServer } from "../kit/servers/mailServer.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { recordAccount, recordOrganization } from "./examples/accountExamples.ts";
import { type Example, type Examples, readExamples, writeExamples } from "./examples/exampleFile.ts";
import { recordLinks } from "./examples/linkExamples.ts";
import { membersOf } from "./examples/membersOf.ts";
import { operations } from "./examples/operations.ts";
import { recordQueries } from "./examples/queryExamples.ts";
import { Recorder } from "./examples/recorder.ts";
import { problemsOf } from "./examples/schemaProblems.ts";
import { blanked, shownValues } from "./examples/shown.ts";
import { recordTracking } from "./examples/trackingExamples.ts";
import { recordUptime } from "./examples/uptimeExamples.ts";
import { recordWebsites } from "./examples/websiteExamples.ts";

let mail: MailServer;
let own: OwnServer;
const recorded: Record<string, Example> = {};

beforeAll(async () => {
  mail = await startMailServer();
  own = await startOwnServer(handlers, {
    SMTP_URL: mail.url,
    SMTP_FROM: "lookout@example.com",
    PORT: String(await freePort()),
    RATE_LIMIT_CUSTOM: "1",
  });
});

afterAll(async () => {
  await own?.close();
  await mail?.close();
});

/** Examples that no longer hold are replaced, so that the others stay as they are. */
function updated(stored: Examples, fresh: Examples): Examples {
  return Object.fromEntries(
    Object.entries(fresh).map(([id, example]) => {
      const known = stored[id];
      return [id, known !== undefined && fingerprint(known) === fingerprint(example) ? known : example];
    }),
  );
}

/** What must not differ between the stored example and what the service does now. */
function fingerprint({ request, response, errors }: Example): string {
  const refusals = errors.map(({ status, body }) => `${status} ${body.code}`);
  return blanked([request, response.status, response.contentType, membersOf(response.body), refusals]);
}

/** What each part of the service is called for; parts do not see each other's data. */
const parts: readonly ((recorder: Recorder, website: TestWebsite) => Promise<void>)[] = [
  recordTracking,
  (recorder, website) => recordQueries(recorder, website, own),
  recordLinks,
  recordUptime,
  recordWebsites,
  recordOrganization,
  (recorder, website) => recordAccount(recorder, website, own, mail),
];

test("every operation accepts its example", async () => {
  const nowMs = Date.now();
  const results = await Promise.allSettled(
    parts.map(async (record) => {
      const website = await createWebsite();
      const scopelessKey = await createKey({ organizationId: website.organizationId, scopes: [] });
      const recorder = new Recorder({ apiKey: website.apiKey, scopelessKey });
      await record(recorder, website);
      const shown = shownValues(nowMs, [inject("lookout").baseUrl, own.baseUrl]);
      for (const [id, { request, response, errors }] of recorder.examples)
        recorded[id] = {
          request: shown.request(request) as Example["request"],
          response: shown.response(response) as Example["response"],
          errors: errors.map((error) => shown.response(error) as Example["errors"][number]),
        };
    }),
  );
  expect(results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []))).toEqual([]);
  expect(Object.keys(recorded).sort()).toEqual([...operations.keys()].sort());
  if (process.env["UPDATE_EXAMPLES"] === "1") writeExamples(updated(readExamples(), recorded));
});

test("the answers have the form that the document says, with no member beside it", () => {
  expect(Object.entries(recorded).flatMap(([id, example]) => problemsOf(id, example))).toEqual([]);
});

test("the stored examples are still what the service takes, answers and refuses; else run npm run generate:examples", () => {
  const stored = readExamples();
  for (const [id, example] of Object.entries(recorded)) {
    const known = stored[id];
    expect(known === undefined ? "missing" : `${id} ${fingerprint(known)}`).toBe(`${id} ${fingerprint(example)}`);
  }
});
