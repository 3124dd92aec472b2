import { expect, it } from "vitest";
import { workflowLink } from "../../src/access/workflowLink.ts";
import type { KeyCaller } from "../../src/call/caller.ts";
import { readConfig } from "../../src/config.ts";

const app = { config: readConfig({ TEMPORAL_UI: "https://temporal.example/ui/", TEMPORAL_NAMESPACE: "a b" }) };
const callerWith = (...scopes: string[]): KeyCaller => ({
  kind: "key",
  keyId: "k",
  organizationId: "o",
  scopes: new Set(scopes),
  websiteIds: undefined,
});

it("links to a workflow's page, whatever its id and namespace contain", () => {
  expect(workflowLink({ app, caller: callerWith("admin") }, "monitor/shop.example/3f2a9c1e-52b1")).toBe(
    "https://temporal.example/ui/namespaces/a%20b/workflows/monitor%2Fshop.example%2F3f2a9c1e-52b1",
  );
});

it("is only for callers with the scope admin", () => {
  expect(workflowLink({ app, caller: callerWith("read:uptime", "write:uptime") }, "monitor/1")).toBeUndefined();
  expect(workflowLink({ app, caller: undefined }, "monitor/1")).toBeUndefined();
});
