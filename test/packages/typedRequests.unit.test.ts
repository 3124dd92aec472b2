import { create } from "@bufbuild/protobuf";
import { expectTypeOf, test } from "vitest";
import { CreateLinkRequestSchema } from "../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import type { Lookout } from "../../packages/client-js/src/node.ts";

/** Compiled by `npm run check:types`, which fails where a line below `@ts-expect-error` compiles. Not run. */
async function typed(lookout: Lookout): Promise<void> {
  const { funnels, ingest, queries, links } = lookout;
  const goals = [{ action: { case: "page", value: { path: "/thanks" } } } as const];
  await funnels.analyzeGoals({ websiteId: "w", query: { preset: "last_7d", goals } });
  // @ts-expect-error a query without goals
  await funnels.analyzeGoals({ websiteId: "w", query: { preset: "last_7d" } });
  // @ts-expect-error a goal without a page or an event
  await funnels.analyzeGoals({ websiteId: "w", query: { goals: [{ name: "thanks" }] } });
  // @ts-expect-error a page without a path
  await funnels.analyzeGoals({ websiteId: "w", query: { goals: [{ action: { case: "page", value: {} } }] } });
  // @ts-expect-error a query without parameters
  await queries.query({ websiteId: "w", query: { preset: "today" } });
  // @ts-expect-error a parameter without a name
  await queries.query({ websiteId: "w", query: { parameters: [{ limit: 3 }] } });
  // @ts-expect-error an event without a name
  await ingest.track({ websiteId: "w", events: [{ path: "/" }] });
  // @ts-expect-error a misspelt member
  await links.createLink({ targetUrl: "", clickLimits: 3 });

  // A message is taken too.
  await links.createLink(create(CreateLinkRequestSchema, { targetUrl: "" }));
}

test("requests without nested members that the contract requires do not compile", () => {
  expectTypeOf(typed).returns.resolves.toBeVoid();
});
