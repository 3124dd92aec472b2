const attemptTimeoutMs = 2_000;
/** How long Temporal keeps the history of a workflow that has ended; the development server has the same. */
const retentionSeconds = 86_400;

/**
 * Rejects if the server does not answer or does not know the namespace. Over its HTTP API: the client of Temporal would take 40 MB of
 * the supervisor.
 */
export async function checkNamespace(httpPort: number, namespace: string): Promise<void> {
  await callTemporal(httpPort, `namespaces/${encodeURIComponent(namespace)}`);
}

/** Rejects until the namespace is there, which this makes if need be, and all roles of the server work for it. */
export async function ensureNamespace(httpPort: number, namespace: string): Promise<void> {
  const path = `namespaces/${encodeURIComponent(namespace)}`;
  const { status } = await askTemporal(httpPort, path);
  if (status === 404)
    await callTemporal(httpPort, "namespaces", {
      namespace,
      workflowExecutionRetentionPeriod: `${retentionSeconds}s`,
    });
  await callTemporal(httpPort, path);
  // Each of these is answered by another role.
  await callTemporal(httpPort, `${path}/workflow-count`);
  await callTemporal(httpPort, `${path}/task-queues/ready`);
  const workflow = await askTemporal(httpPort, `${path}/workflows/ready`);
  if (workflow.status !== 404) throw unexpected(workflow);
}

type Answer = { readonly status: number; readonly text: string };

async function callTemporal(httpPort: number, path: string, body?: object): Promise<void> {
  const answer = await askTemporal(httpPort, path, body);
  if (answer.status !== 200) throw unexpected(answer);
}

async function askTemporal(httpPort: number, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${httpPort}/api/v1/${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
    signal: AbortSignal.timeout(attemptTimeoutMs),
  });
  return { status: response.status, text: await response.text() };
}

function unexpected({ status, text }: Answer): Error {
  return new Error(`Temporal answers ${status} ${text.slice(0, 200)}`);
}
