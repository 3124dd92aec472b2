import { expect, test } from "vitest";
import { eachRow, type LookoutError } from "../../packages/client-js/src/node.ts";
import { createTestLookout } from "../../packages/client-js/src/testing/createTestLookout.ts";

const detail = { field: "filters[0].field", message: "is not permitted", suggestion: "country" };

/** A client whose queries fail because of a filter. */
function failing() {
  const failed = { parameter: "top_pages", success: false, error: 'Filter on field "contry" is not permitted', detail };
  const meta = { page: 1, limit: 100, consistent: true };
  return createTestLookout({ queries: { query: { single: { data: [failed], meta } } } });
}

const query = { preset: "today", parameters: ["top_pages"] } as const;

test("4.1 a parameter that fails says which field is wrong, and the nearest one", async () => {
  const { data } = await failing().query(query);
  expect(data[0]).toMatchObject({ success: false, error: 'Filter on field "contry" is not permitted', detail });
});

test("the error of rows that cannot be answered has the wrong field in its details", async () => {
  const rows = eachRow(failing(), query);
  const error = await rows.next().catch((error: LookoutError) => error);
  expect(error).toMatchObject({ code: "QUERY_ERROR", details: [detail] });
});
