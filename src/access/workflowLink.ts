import type { Caller } from "../call/caller.ts";
import type { Config } from "../config.ts";

/**
 * The address of a workflow's page in the Temporal Web UI. Undefined for callers without the scope `admin`: the address
 * is of use to operators, and may be one of an internal network.
 */
export function workflowLink(
  {
    app: { config },
    caller,
  }: { readonly app: { readonly config: Pick<Config, "temporal"> }; readonly caller: Caller | undefined },
  workflowId: string,
): string | undefined {
  if (!caller?.scopes.has("admin")) return undefined;
  const { uiUrl, namespace } = config.temporal;
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
