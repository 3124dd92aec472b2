import { createServer, type Socket } from "node:net";
import { describe, expect, inject, it } from "vitest";
import { TemporalConnection } from "../../src/store/temporal/temporalConnection.ts";

const settings = { taskQueue: "lookout", uiUrl: "http://127.0.0.1" };

async function check(address: string, namespace: string): Promise<void> {
  const temporal = new TemporalConnection({ ...settings, address, namespace });
  try {
    await temporal.checkTemporal();
  } finally {
    await temporal.close();
  }
}

describe("The readiness check of Temporal", () => {
  it("passes if Temporal serves the namespace and fails if it does not know it", async () => {
    const { temporalAddress } = inject("lookout");
    await expect(check(temporalAddress, "default")).resolves.toBeUndefined();
    await expect(check(temporalAddress, "no-such-namespace")).rejects.toThrow(
      "Namespace no-such-namespace is not found",
    );
  });

  it("fails if the port is closed, and if a listener never answers", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on("error", () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : undefined;
    await expect(check(`127.0.0.1:${port}`, "default")).rejects.toThrow("DEADLINE_EXCEEDED");
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
    await expect(check(`127.0.0.1:${port}`, "default")).rejects.toThrow("UNAVAILABLE");
  });
});
