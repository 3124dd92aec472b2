import { askLocal, type LocalAnswer } from "../localRequest.ts";

const attemptTimeoutMs = 2_000;
/** How long Temporal keeps the history of an ended workflow; the development server has the same value. */
const retentionSeconds = 86_400;

/**
 * Rejects if the server does not answer or does not know the namespace. Uses the HTTP API: Temporal's client would take 40 MB in
 * the supervisor.
 */
export async function checkNamespace(http: TemporalHttp, namespace: string): Promise<void> {
  await callTemporal(http, `namespaces/${encodeURIComponent(namespace)}`);
}

/** What the server says about the namespace, also if it says that it cannot read it. Rejects if it does not answer within `timeoutMs`. */
export async function askNamespace(http: TemporalHttp, namespace: string, timeoutMs: number): Promise<string> {
  const { text } = await askTemporal(http, `namespaces/${encodeURIComponent(namespace)}`, { timeoutMs });
  return text;
}

/** Creates the namespace if necessary. Rejects until it exists and all roles of the server work for it. */
export async function ensureNamespace(http: TemporalHttp, namespace: string): Promise<void> {
  const path = `namespaces/${encodeURIComponent(namespace)}`;
  const { status } = await askTemporal(http, path);
  if (status === 404)
    await callTemporal(http, "namespaces", {
      namespace,
      workflowExecutionRetentionPeriod: `${retentionSeconds}s`,
    });
  await callTemporal(http, path);
  // Each of these requests is answered by another role.
  await callTemporal(http, `${path}/workflow-count`);
  await callTemporal(http, `${path}/task-queues/ready`);
  const workflow = await askTemporal(http, `${path}/workflows/ready`);
  if (workflow.status !== 404) throw unexpected(workflow);
}

/** The HTTP API of a server, and the Host header that it accepts. */
export type TemporalHttp = { readonly port: number; readonly host: string };

async function callTemporal(http: TemporalHttp, path: string, body?: object): Promise<void> {
  const answer = await askTemporal(http, path, { body });
  if (answer.status !== 200) throw unexpected(answer);
}

type AskOptions = { readonly body?: object | undefined; readonly timeoutMs?: number };

function askTemporal({ port, host }: TemporalHttp, path: string, options: AskOptions = {}): Promise<LocalAnswer> {
  const { body, timeoutMs = attemptTimeoutMs } = options;
  return askLocal({ port, host, path: `/api/v1/${path}`, ...(body && { body }), timeoutMs });
}

function unexpected({ status, text }: LocalAnswer): Error {
  return new Error(`Temporal answers ${status} ${text.slice(0, 200)}`);
}
