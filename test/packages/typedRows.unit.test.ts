import { expectTypeOf, test } from "vitest";
import type {
  GetStatusResponse,
  LatestCheck,
  UptimeFigures,
} from "../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { Website, WebsitePrivacy } from "../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import type { ServiceErrorCode } from "../../packages/client-js/src/lookoutError.ts";
import type { Lookout, QueryTypeName } from "../../packages/client-js/src/node.ts";
import type { ErrorCode } from "../../src/errors/errors.ts";

/** Compiled by `npm run check:types`, which fails where a line below `@ts-expect-error` compiles. Not run. */
async function typed(lookout: Lookout): Promise<void> {
  const { data } = await lookout.query({
    preset: "last_7d",
    parameters: ["summary_metrics", "top_pages", { name: "vitals_overview", granularity: "hourly" }],
  });
  expectTypeOf(data).toHaveProperty("length").toEqualTypeOf<3>();
  const [summary, pages, vitals] = data;
  if (!summary.success || !pages.success || !vitals.success) throw new Error(String(pages.error));
  expectTypeOf(summary.data[0]?.unique_visitors).toEqualTypeOf<number | null | undefined>();
  for (const page of pages.data) {
    expectTypeOf(page.path).toEqualTypeOf<string>();
    expectTypeOf(page.views).toEqualTypeOf<number>();
    // @ts-expect-error a misspelt column
    page.veiws;
    // @ts-expect-error a column of another type
    page.bounce_rate;
  }
  // @ts-expect-error there are three answers
  data[3];
  // @ts-expect-error a failed parameter has no rows: look at success first
  (await lookout.query({ preset: "today", parameters: ["top_pages"] })).data[0].data[0];
  // @ts-expect-error a misspelt query type
  await lookout.query({ preset: "today", parameters: ["top_pagse"] });
  // @ts-expect-error a misspelt query type in an object
  await lookout.query({ preset: "today", parameters: [{ name: "top_pagse" }] });
  // @ts-expect-error a misspelt preset
  await lookout.query({ preset: "todya", parameters: ["top_pages"] });
  // @ts-expect-error neither a preset nor days
  await lookout.query({ parameters: ["top_pages"] });
  // @ts-expect-error an unknown operator
  await lookout.query({ preset: "today", parameters: [], filters: [{ field: "path", op: "like", value: "/" }] });

  // Types chosen at run time have the rows of all of them.
  const names: QueryTypeName[] = ["top_pages", "countries"];
  const chosen = await lookout.query({ preset: "today", parameters: names });
  expectTypeOf(chosen.data).toHaveProperty("length").toEqualTypeOf<number>();

  for await (const { data } of lookout.watch({ preset: "today", parameters: ["active_stats"] })) {
    expectTypeOf(data[0].success).toEqualTypeOf<boolean>();
    if (data[0].success) expectTypeOf(data[0].data[0]?.active_users).toEqualTypeOf<number | undefined>();
  }
}

test("4.1 each answer of a query has the rows of its type", () => {
  expectTypeOf(typed).returns.resolves.toBeVoid();
});

test("members that an answer always has need no question mark", () => {
  expectTypeOf<Website>().toHaveProperty("privacy").toEqualTypeOf<WebsitePrivacy>();
  expectTypeOf<GetStatusResponse>().toHaveProperty("uptime").toEqualTypeOf<UptimeFigures>();
  // There is none before the first check.
  expectTypeOf<GetStatusResponse>().toHaveProperty("lastCheck").toEqualTypeOf<LatestCheck | undefined>();
});

test("the client knows every error code of the service", () => {
  expectTypeOf<ServiceErrorCode>().toEqualTypeOf<ErrorCode>();
});
