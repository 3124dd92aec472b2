import { createClient, createRouterTransport } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { HealthService } from "../../src/gateway/rpc/health.ts";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "../../src/gen/grpc/health/v1/health_pb.ts";
import type { HealthStatus } from "../../src/health/decideStatus.ts";

/** A service whose status the test sets, and a client of it. */
function start() {
  let listener = () => {};
  const health = {
    status: "ok" as HealthStatus,
    onChange: (given: () => void) => {
      listener = given;
    },
  };
  const service = new HealthService(["lookout.v1.IngestService"], health);
  const client = createClient(
    Health,
    createRouterTransport((router) => service.addTo(router)),
  );
  const set = (status: HealthStatus) => {
    health.status = status;
    listener();
  };
  return { client, service, set };
}

test("gRPC health serves unless /readyz answers 503", async () => {
  const { client, set } = start();
  const status = async () => (await client.check({ service: "lookout.v1.IngestService" })).status;
  expect(await status()).toBe(ServingStatus.SERVING);
  set("degraded");
  expect(await status()).toBe(ServingStatus.SERVING);
  set("unavailable");
  expect(await status()).toBe(ServingStatus.NOT_SERVING);
  await expect(client.check({ service: "other" })).rejects.toThrow("unknown service");
});

test("gRPC health: a watch sends each change once, and ends when the service stops", async () => {
  const { client, service, set } = start();
  const seen: ServingStatus[] = [];
  const steps = [() => set("degraded"), () => set("unavailable"), () => set("ok"), () => service.stop()];
  for await (const { status } of client.watch({ service: "" })) {
    seen.push(status);
    // A change that is none for gRPC sends nothing.
    if (seen.length === 1) steps.shift()?.();
    steps.shift()?.();
  }
  const { SERVING, NOT_SERVING } = ServingStatus;
  expect(seen).toEqual([SERVING, NOT_SERVING, SERVING, NOT_SERVING]);
});
