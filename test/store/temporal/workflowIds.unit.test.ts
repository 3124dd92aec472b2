import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { deliveryWorkflowId, incidentWorkflowId, workflowIdOf } from "../../../src/store/temporal/workflowIds.ts";

const id = "3f2a9c1e-52b1-4c7a-9d36-0a1b2c3d4e5f";

it("a workflow id has the kind, the domain and the beginning of the row's id", () => {
  expect(workflowIdOf("monitor", "shop.example", id)).toBe("monitor/shop.example/3f2a9c1e-52b1");
  expect(workflowIdOf("export", "xn--bcher-kva.example", id)).toBe("export/xn--bcher-kva.example/3f2a9c1e-52b1");
});

it("the workflows of a monitor's incidents and deliveries have ids that end alike, also those of older monitors", () => {
  const monitor = workflowIdOf("monitor", "shop.example", id);
  expect(incidentWorkflowId(monitor, `${id}/1795479666000`)).toBe("incident/shop.example/3f2a9c1e-52b1/1795479666000");
  expect(deliveryWorkflowId(monitor, "msg_1")).toBe("delivery/shop.example/3f2a9c1e-52b1/msg_1");
  // As an incident of such a monitor that began before the upgrade.
  expect(incidentWorkflowId(`monitor/${id}`, `${id}/1795479666000`)).toBe(`incident/${id}/1795479666000`);
});

it("whatever the domain holds, an id has three parts of bounded length", () => {
  const longest = `${"a".repeat(63)}.`.repeat(3).slice(0, 253);
  for (const domain of ["", "/", "a/b", "../..", "a b\n", "bücher.example", "x\u0000y", "[::1]", longest])
    expect(workflowIdOf("deletion", domain, id)).toMatch(/^deletion\/[\w.-]{1,100}\/3f2a9c1e-52b1$/);
});

it("monitors of a domain get different ids", () => {
  const ids = Array.from({ length: 10_000 }, () => workflowIdOf("monitor", "shop.example", randomUUID()));
  expect(new Set(ids).size).toBe(ids.length);
});
