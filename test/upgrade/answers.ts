import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import { callOf } from "./apiClient.ts";
import type { Contents } from "./contents.ts";
import type { Credentials } from "./upgradeStack.ts";

export type Call = { readonly verb: string; readonly path: string; readonly body?: unknown };

/** A call with the part of its answer that later versions give as well. */
export type RecordedAnswer = Call & { readonly answer: unknown };

/** Every answer about the contents that does not depend on when it is asked for. */
export async function recordAnswers(
  baseUrl: string,
  credentials: Credentials,
  contents: Contents,
): Promise<readonly RecordedAnswer[]> {
  const { types } = (await callOf(baseUrl, credentials.apiKey)("GET", "/v1/query/types")) as { types: string[] };
  const recorded: RecordedAnswer[] = [];
  for (const call of callsOf(credentials, contents, types)) {
    const answer = await answerOf(baseUrl, credentials, call);
    if (!isRefused(answer)) recorded.push({ ...call, answer });
  }
  return recorded;
}

/** The answer to a call without what differs from call to call, or with the service's address. */
export async function answerOf(baseUrl: string, { apiKey }: Credentials, { verb, path, body }: Call): Promise<unknown> {
  const answer = await callOf(baseUrl, apiKey)(verb, path, body);
  const volatile = volatileOf[path] ?? ["requestId", "lastUsedAt", "meta", "shortUrl", "workflowUrl", "workflow_url"];
  return JSON.parse(JSON.stringify(answer, (key, value) => (volatile.includes(key) ? undefined : value)));
}

const volatileOf: Readonly<Record<string, readonly string[]>> = {
  "/auth/sign-in": ["id", "expiresAt"],
  "/uptime/status-pages/list": ["requestId", "url"],
};

function callsOf({ websiteId, email, password }: Credentials, contents: Contents, types: readonly string[]): Call[] {
  const { days, madeOn, linkId, monitorId, deletionId } = contents;
  const [start_date, end_date] = days;
  const made = { start_date: madeOn, end_date: madeOn };
  const lasting = types.filter((name) => catalogue.get(name)?.period === undefined);
  const post = (path: string, body: unknown): Call => ({ verb: "POST", path, body });
  const steps = ["/", "/pricing", "/blog/one"].map((page) => ({ page }));
  const checks = { monitorId, dateFrom: madeOn, dateTo: madeOn };
  return [
    ...lasting.flatMap((name) => [
      post(`/v1/query?website_id=${websiteId}`, { start_date, end_date, parameters: [name] }),
      post(`/v1/query?link_id=${linkId}`, { ...made, parameters: [name] }),
      post(`/v1/query?schedule_id=${monitorId}`, { ...made, parameters: [name] }),
    ]),
    post(`/v1/query/funnel?website_id=${websiteId}`, { start_date, end_date, steps }),
    post("/websites/get", { id: websiteId }),
    post("/links/get", { id: linkId }),
    post("/uptime/monitors/get", { id: monitorId }),
    post("/uptime/checks/recent", { monitorId, limit: 10 }),
    post("/uptime/history", { ...checks, granularity: "1h" }),
    post("/uptime/incidents", checks),
    post("/uptime/channels/list", {}),
    post("/uptime/status-pages/list", { websiteId }),
    post("/uptime/maintenance/list", { websiteId }),
    post("/api-keys/list", {}),
    ...[linkId, monitorId, deletionId].map((objectId) => post("/audit/list", { objectId })),
    post("/auth/sign-in", { email, password }),
    { verb: "GET", path: `/v1/deletions/${deletionId}` },
  ];
}

/** Whether a query of one parameter was answered with its error, such as for a type that is not about links. */
function isRefused(answer: unknown): boolean {
  const { data } = answer as { readonly data?: unknown };
  return Array.isArray(data) && data.some((one) => (one as { readonly success?: boolean } | null)?.success === false);
}
