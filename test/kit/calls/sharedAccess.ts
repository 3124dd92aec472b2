import { send } from "./request.ts";

type Sharer = { readonly websiteId: string; readonly apiKey: string };

/** A dashboard that is shared for one test: its id, the token of its link and its address. */
export type Shared = { readonly id: string; readonly token: string; readonly url: string };

/** Shares a dashboard of a website with these query types, and with what else is given. */
export async function share(
  { websiteId, apiKey }: Sharer,
  types: readonly string[],
  more: object = {},
): Promise<Shared> {
  const body = { websiteId, name: "Customer", types, ...more };
  const answer = await send("POST", "/v1/shared-dashboards/create", { body, apiKey });
  if (answer.status !== 200) throw new Error(`sharing was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const { token, url, sharedDashboard } = answer.body as Omit<Shared, "id"> & { sharedDashboard: { id: string } };
  return { id: sharedDashboard.id, token, url };
}

/** The access to a new shared dashboard with these query types. */
export async function sharedAccess(sharer: Sharer, types: readonly string[], more: object = {}): Promise<string> {
  const { token } = await share(sharer, types, more);
  const { body } = await send("POST", "/v1/shared-dashboards/open", { body: { token } });
  return (body as { access: string }).access;
}
