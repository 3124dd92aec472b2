import { expect, test } from "vitest";
import { mostCharacters, readAnswer } from "../../src/mcp/rpcs.ts";

test("an answer in parts is read whole", async () => {
  expect(await readAnswer(['{"rows":', "[1,2]}"])).toEqual({ rows: [1, 2] });
});

test("no answer has the address of a workflow, which is the operator's", async () => {
  const incident = {
    id: "i",
    workflowUrl: "http://temporal/1",
    monitor: { name: "Shop", workflow_url: "http://temporal/2" },
  };
  expect(await readAnswer([JSON.stringify({ incidents: [incident], text: '"workflowUrl"' })])).toEqual({
    incidents: [{ id: "i", monitor: { name: "Shop" } }],
    text: '"workflowUrl"',
  });
});

test("an answer that is too long is an error that says so, and what comes after that is not asked for", async () => {
  let asked = 0;
  let isOver = false;
  async function* endless() {
    try {
      for (;;) {
        asked += 1;
        yield "x".repeat(mostCharacters / 4);
      }
    } finally {
      isOver = true;
    }
  }
  await expect(readAnswer(endless())).rejects.toMatchObject({
    code: "QUERY_ERROR",
    message: expect.stringContaining("more than 1,000,000 characters"),
  });
  expect(asked).toBe(5);
  expect(isOver).toBe(true);
});
