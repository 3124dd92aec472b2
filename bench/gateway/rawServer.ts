/** The baseline: node:http, JSON.parse and JSON.stringify, and nothing else. */
import { createServer, type IncomingMessage } from "node:http";
import { answeredPages, type PageView } from "./payload.ts";
import { reportTo } from "./serverProcess.ts";

const pages = new Map([100, 10_000].map((count) => [count, answeredPages(count)]));

const server = createServer(async (request, response) => {
  const body = JSON.parse((await readAll(request)).toString());
  const text = JSON.stringify(request.url?.startsWith("/batch") ? batchAnswer(body) : queryAnswer(body));
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) reportTo(process, address.port);
});

function batchAnswer(events: readonly PageView[]) {
  return {
    status: "success",
    batch: true,
    processed: events.length,
    batched: { track: events.length, outgoing_link: 0 },
    results: events.map((event) => ({ status: "success", type: "track", eventId: event.payload.eventId })),
  };
}

function queryAnswer({ limit, parameters }: { limit: number; parameters: string[] }) {
  return {
    success: true,
    requestId: "req_1",
    queryId: "",
    data: [{ parameter: parameters[0], success: true, data: pages.get(limit), error: null }],
    meta: { parameters, total_parameters: 1, page: 1, limit, filters_applied: 0 },
  };
}

function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}
