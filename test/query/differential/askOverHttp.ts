import type { JsonObject } from "@bufbuild/protobuf";
import { send } from "../../kit/calls/request.ts";
import { sentFilter } from "../../kit/oracle/randomQuery.ts";
import type { AskedSite } from "./askedSite.ts";
import type { Ask } from "./laws.ts";

type Waiting = {
  readonly query: object;
  readonly take: (rows: JsonObject[]) => void;
  readonly fail: (error: unknown) => void;
};

/** Asks a website of the service; what is asked in one tick is one request. All questions must have the same zone. */
export function askOverHttp({ website: { websiteId, apiKey } }: AskedSite, zone: string): Ask {
  const address = `/v1/query?website_id=${websiteId}&timezone=${encodeURIComponent(zone)}`;
  let waiting: Waiting[] = [];
  const sendAll = async () => {
    const all = waiting;
    waiting = [];
    try {
      const { body } = await send("POST", address, { apiKey, body: all.map(({ query }) => query) });
      const { results } = body as { results: { data: [{ data: JsonObject[]; error: string | null }] }[] };
      for (const [index, { take, fail }] of all.entries()) {
        const answer = results[index]?.data[0];
        if (answer === undefined || answer.error !== null) fail(new Error(JSON.stringify(body).slice(0, 500)));
        else take(answer.data);
      }
    } catch (error) {
      for (const { fail } of all) fail(error);
    }
  };
  return ({ name }, { start, end, filters }) => {
    if (waiting.length === 0) setImmediate(sendAll);
    const range = { startDate: start, endDate: end, granularity: "day" };
    const query = { parameters: [name], ...range, filters: filters.map(sentFilter), limit: 1_000 };
    return new Promise((take, fail) => waiting.push({ query, take, fail }));
  };
}
