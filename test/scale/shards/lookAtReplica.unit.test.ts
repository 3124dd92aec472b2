import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { lookAtReplica } from "../../../src/scale/shards/lookAtReplica.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a QuestDB that answers a statement answers well", async () => {
  expect(await lookAtReplica(await listen((_, response) => response.end('{"dataset":[[1]]}')))).toBe("well");
});

test("a QuestDB that takes a connection and is silent, or reports an error, answers badly", async () => {
  expect(await lookAtReplica(await listen(() => undefined))).toBe("badly");
  expect(await lookAtReplica(await listen((_, response) => response.writeHead(503).end('{"error":"busy"}')))).toBe(
    "badly",
  );
});

test("where nothing takes connections a QuestDB does not answer", async () => {
  const http = await listen(() => undefined);
  const server = servers.pop();
  await new Promise((resolve) => server?.close(resolve));
  expect(await lookAtReplica(http)).toBe("not");
});

test("a connection that was closed while it was idle does not count", async () => {
  let asked = 0;
  const http = await listen((request, response) => {
    asked += 1;
    if (asked === 1) request.socket.destroy();
    else response.end('{"dataset":[[1]]}');
  });
  expect(await lookAtReplica(http)).toBe("well");
});
