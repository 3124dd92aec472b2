import { NativeConnection } from "@temporalio/worker";
import { expect, inject, test } from "vitest";
import { registerSearchAttributes } from "../../workflows/registerSearchAttributes.ts";
import { lookoutKind, lookoutWebsite } from "../../workflows/searchAttributes.ts";
import { makeNamespace } from "./workerProcess.ts";

test("once search attributes are registered in a new namespace, runs that have them can be started", async () => {
  const { temporalAddress } = inject("lookout");
  const { client, namespace, remove } = await makeNamespace(temporalAddress);
  const connection = await NativeConnection.connect({ address: temporalAddress });
  try {
    await registerSearchAttributes(connection, namespace, new AbortController().signal);
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
    await connection.close();
    await remove();
  }
});
