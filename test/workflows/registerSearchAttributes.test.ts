import { expect, inject, test } from "vitest";
import { lookoutKind, lookoutWebsite } from "../../src/store/temporal/searchAttributes.ts";
import { send } from "../kit/calls/request.ts";
import { startApiProcess } from "../kit/stack/apiProcess.ts";
import { makeNamespace } from "../kit/stack/workerProcess.ts";

test("part 2: once /readyz says that Temporal is ok, runs can be started, even before a worker has started", async () => {
  const { client, namespace, remove } = await makeNamespace(inject("lookout").temporalAddress);
  const api = await startApiProcess({ TEMPORAL_NAMESPACE: namespace });
  try {
    const readiness = async () => (await send("GET", "/readyz", { baseUrl: api.baseUrl })).body;
    await expect.poll(readiness).toMatchObject({ stores: { temporal: "ok" } });
    const started = client.workflow.start("exportData", {
      workflowId: "export/1",
      taskQueue: "lookout",
      typedSearchAttributes: [
        { key: lookoutKind, value: "export" },
        { key: lookoutWebsite, value: "w" },
      ],
    });
    await expect(started).resolves.toMatchObject({ workflowId: "export/1" });
  } finally {
    await api.stop();
    await remove();
  }
});
