import { request } from "node:http";
import { expect, inject, test } from "vitest";
import { type ListeningPort, listeningPorts } from "./listeningPorts.ts";

const { dataDir, temporalUi } = inject("lookout");

/** As tests run the stack, the guard of the Web UI is in a process that has no DATA_DIR. */
const ports: ListeningPort[] = [
  ...listeningPorts(dataDir),
  { program: "the guard of the Temporal Web UI", address: "127.0.0.1", port: Number(new URL(temporalUi).port) },
];

type PageRequest = { readonly method: string; readonly path: string; readonly host: string; readonly body?: string };

type Answer = { readonly status: number; readonly text: string };

/** What a port answers a page, once it could read it; undefined where it says nothing within some seconds or speaks no HTTP. */
function sendAsPage({ address, port }: ListeningPort, { method, path, host, body }: PageRequest) {
  return new Promise<Answer | undefined>((resolve) => {
    const headers = { host, origin: "https://evil.example", "content-type": "text/plain" };
    const sent = request({ host: address, port, method, path, headers, agent: false, timeout: 4_000 });
    sent.once("response", async (response) => {
      let text = "";
      for await (const piece of response.setEncoding("utf8")) text += piece;
      resolve({ status: response.statusCode ?? 0, text });
    });
    sent.once("timeout", () => sent.destroy(new Error("no answer")));
    sent.once("error", () => resolve(undefined));
    sent.end(body);
  });
}

/** A page would have to find one of 16 million addresses and its port. */
const findable = ports.filter(({ address }) => address === "127.0.0.1");

/** Answers that are the same whatever is asked: QuestDB's health, and Temporal's counts of calls. */
const isHarmless = ({ text }: Answer) => text.trim() === "Status: Healthy" || text.startsWith("# HELP");

/** What pages get an answer to, as program and path. */
async function answered(requests: readonly (Omit<PageRequest, "host"> & { host: (port: number) => string })[]) {
  const found = await Promise.all(
    findable.flatMap((port) =>
      requests.map(async ({ host, ...rest }) => {
        const answer = await sendAsPage(port, { ...rest, host: host(port.port) });
        const isAnswered = answer !== undefined && answer.status < 400 && !isHarmless(answer);
        return isAnswered ? [`${port.program}: ${rest.method} ${rest.path}`] : [];
      }),
    ),
  );
  return [...new Set(found.flat())].sort();
}

const isEmbedded = inject("lookout").kind === "embedded";

test("8: the ports of all servers are found", ({ skip }) => {
  skip(!isEmbedded, "the servers of several machines have directories of their own");
  const programs = new Set(ports.map(({ program }) => program));
  for (const program of ["java", "postgres", "temporal", "src/main/api.ts", "workflows/worker.ts"])
    expect([...programs]).toContain(program);
  // Temporal: gRPC of four roles, HTTP, metrics, the Web UI. QuestDB: HTTP, PostgreSQL's protocol, health.
  expect(ports.filter(({ program }) => program === "temporal").length).toBeGreaterThanOrEqual(5);
  expect(ports.filter(({ program }) => program === "java")).toHaveLength(3);
  // Only of this computer; and the Web UI itself is where no page looks for it.
  expect(ports.filter(({ address }) => !address.startsWith("127."))).toEqual([]);
  expect(ports.filter(({ address }) => address !== "127.0.0.1").map(({ program }) => program)).toEqual(["temporal"]);
});

test("8: a page in a browser changes nothing through a port of the servers (simple requests)", async () => {
  const change = (path: string, body = "") => ({
    method: "POST",
    path,
    body,
    host: (port: number) => `127.0.0.1:${port}`,
  });
  const terminate = {
    reason: "x",
    visibilityQuery: "WorkflowId='none'",
    terminationOperation: { identity: "evil" },
  };
  const requests = [
    change("/api/v1/namespaces/default/batch-operations/x", JSON.stringify(terminate)),
    change("/api/v1/namespaces/default/workflows/none/terminate", "{}"),
    change("/api/v1/namespaces", '{"namespace":"evil"}'),
    change("/namespaces/default/nexus/callback", "{}"),
    change("/exec?query=create%20table%20evil(a%20int)", ""),
    change("/write", "evil a=1"),
    change("/imp?name=evil", "a\n1"),
    change("/settings", "{}"),
    change("/metrics", "{}"),
  ];
  expect(await answered(requests)).toEqual([]);
});

test("8: a page whose host name has the address of this computer (DNS rebinding) reads nothing of the servers", async () => {
  const read = (path: string) => ({ method: "GET", path, host: (port: number) => `evil.example:${port}` });
  const paths = [
    "/api/v1/namespaces",
    "/api/v1/namespaces/default/workflows",
    "/api/v1/cluster-info",
    "/api/v1/settings",
    "/exec?query=select%201",
    "/exp?query=select%201",
    "/metrics",
  ];
  expect(await answered(paths.map(read))).toEqual([]);
  // Of our own processes not even counts.
  for (const port of findable.filter(({ program }) => /^(src|workflows)\//.test(program)))
    expect((await sendAsPage(port, { ...read("/metrics"), host: "evil.example" }))?.text).not.toContain("# HELP");
});

test("people on this computer open the Temporal Web UI, and read its answers", async () => {
  const page = await fetch(temporalUi);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<html");
  const namespaces = await fetch(`${temporalUi.replace("127.0.0.1", "localhost")}/api/v1/namespaces`);
  expect(await namespaces.json()).toMatchObject({ namespaces: expect.any(Array) });
});
