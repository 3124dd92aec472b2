import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { afterAll, expect, inject, test } from "vitest";
import { createWebsite } from "../kit/calls/website.ts";
import { manyMembers } from "./largest/largestBody.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

/** Over Connect, on the one connection that there is. */
async function call(apiKey: string, body: string): Promise<number | undefined> {
  const sent = request(`${inject("lookout").baseUrl}/lookout.v1.AuditService/ListAuditLog`, {
    agent,
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "content-length": Buffer.byteLength(body) },
  });
  sent.end(body);
  const [answer]: IncomingMessage[] = await once(sent, "response");
  answer?.resume();
  return answer?.statusCode;
}

test("4: a connection goes on after a body that was refused before its end", async () => {
  const { apiKey } = await createWebsite();
  const refused = JSON.stringify(manyMembers(900_000));
  const statuses: unknown[] = [];
  for (const body of ["{}", refused, "{}", refused, "{}"]) statuses.push(await call(apiKey, body));
  expect(statuses).toEqual([200, 400, 200, 400, 200]);
});
