import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { type Assistant, connectAssistant } from "./mcpClient.ts";
import { createShop, type Shop } from "./shop.ts";

/**
 * A question of a shop owner, the calls that an assistant made which knew only the list of tools, and the figures that
 * answer it. `{0.websites.0.id}` is what the first call answered there, `{today}` what the owner said.
 */
type Question = {
  readonly question: string;
  readonly calls: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  /** By their places in the answers. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The same from the API. */
  readonly api: { readonly path: string; readonly body: object; readonly figures: Readonly<Record<string, unknown>> };
};

const questions: readonly Question[] = JSON.parse(readFileSync(new URL("questions.json", import.meta.url), "utf8"));

let shop: Shop;
let assistant: Assistant;
let listed: string;
beforeAll(async () => {
  shop = await createShop();
  assistant = await connectAssistant(shop.apiKey);
  listed = JSON.stringify(await assistant.client.listTools());
  const visitors = async () => (await ask(questionOf("Is today unusual?").api)) as object;
  const waiting = { timeout: 100_000, interval: 200 };
  await vi.waitFor(async () => {
    expect(await visitors()).toMatchObject({ data: [{ data: [{ unique_visitors: 4 }] }] });
    expect(await ask(questionOf("How often").api)).toMatchObject({ total: 2 });
  }, waiting);
});
afterAll(() => assistant?.client.close());

function questionOf(start: string): Question {
  const found = questions.find(({ question }) => question.startsWith(start));
  if (found === undefined) throw new Error(`there is no question ${start}`);
  return found;
}

async function ask({ path, body }: Question["api"]): Promise<unknown> {
  const filled = filledIn(body, [], shop.said);
  // Calls under /v1 have the website in their address, others in their body.
  const query = path.startsWith("/v1/") ? `?website_id=${shop.websiteId}` : "";
  return (await send("POST", `${path}${query}`, { apiKey: shop.apiKey, body: filled })).body;
}

/** The value at a place such as goals.0.total. */
function at(value: unknown, place: string): unknown {
  return place.split(".").reduce<unknown>((found, name) => (Object(found) as Record<string, unknown>)[name], value);
}

/** The arguments with what former calls answered and the owner said. */
function filledIn(value: unknown, answers: readonly unknown[], said: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") {
    const [, place] = /^\{([\w.]+)\}$/.exec(value) ?? [];
    if (place === undefined) return value;
    return /^\d/.test(place) ? at(answers, place) : said[place];
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, answers, said));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filledIn(member, answers, said)]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("part 6: an assistant that knows only the tools answers a shop owner", () => {
  test.each(questions)("$question", async ({ question, calls, answers: expected, api }) => {
    expect(calls.length).toBeLessThanOrEqual(3);
    const spoken = question.replace(/\{(\w+)\}/g, (_, name: string) => shop.said[name] ?? "");
    const answers: unknown[] = [];
    for (const { tool, arguments: given } of calls) {
      const filled = filledIn(given, answers, shop.said) as Record<string, unknown>;
      // Whatever it sent, it read in the list of tools, in an answer or in the question.
      const read = [listed, spoken, ...answers.map((answer) => JSON.stringify(answer))].join("\n");
      expect(textsIn(filled).filter((text) => !read.includes(text))).toEqual([]);
      const { content, failure, length } = await assistant.use(tool, filled);
      expect(failure).toBe("");
      expect(length).toBeLessThanOrEqual(4_000);
      answers.push(content);
    }
    const found = Object.keys(expected).map((place) => [place, at(answers, place)]);
    expect(Object.fromEntries(found)).toEqual(expected);
    const answered = await ask(api);
    const same = Object.keys(api.figures).map((place) => [place, at(answered, place)]);
    expect(Object.fromEntries(same)).toEqual(api.figures);
  });

  test("there are eleven, and an answer about a range says which and in which zone", async () => {
    expect(questions.length).toBe(11);
    const given = { websiteId: shop.websiteId, types: ["summary_metrics"], preset: "today", timezone: "Europe/Berlin" };
    const { content } = await assistant.use("query", given);
    expect(content["range"]).toMatchObject({
      from: expect.stringMatching(/T00:00:00\+0[12]:00$/),
      timezone: "Europe/Berlin",
    });
  });
});
