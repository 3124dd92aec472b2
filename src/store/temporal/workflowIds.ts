/**
 * Ids of workflows. They begin with their kind and the domain of the website, such as
 * `monitor/shop.example/3f2a9c1e-52b1`, so that an operator sees whose work a workflow does. All workflows of a monitor
 * end alike: `incident/shop.example/3f2a9c1e-52b1/<Unix ms>`, `delivery/shop.example/3f2a9c1e-52b1/<delivery>`.
 *
 * A domain may change later, so an id is made once: with the row, in whose column `workflow_id` it stays. Code that
 * addresses a workflow reads it from there.
 */

/** The kinds of workflows whose ids are stored with a row. */
export type StoredKind = "monitor" | "delivery" | "export" | "deletion";

/** The first two groups of a UUID: 48 bits. A unique index refuses the unlikely second one of a domain. */
const shortLength = 13;

/** The longest part of a domain in an id. */
const maxDomainLength = 100;

/** The workflow id of a new row with a UUID. */
export function workflowIdOf(kind: Exclude<StoredKind, "delivery">, domain: string, id: string): string {
  // A stored domain is a host name in ASCII, so this changes only what is none.
  const shown = domain.slice(0, maxDomainLength).replaceAll(/[^\w.-]/g, "-");
  return `${kind}/${shown || "website"}/${id.slice(0, shortLength)}`;
}

/** The workflow id of an incident; `incidentId` is `<monitor>/<Unix ms>`. */
export function incidentWorkflowId(monitorWorkflowId: string, incidentId: string): string {
  return `incident/${subjectOf(monitorWorkflowId)}/${incidentId.slice(incidentId.lastIndexOf("/") + 1)}`;
}

/** The workflow id of a new delivery. Its own id is long enough to be unique. */
export function deliveryWorkflowId(monitorWorkflowId: string, deliveryId: string): string {
  return `delivery/${subjectOf(monitorWorkflowId)}/${deliveryId}`;
}

/** The workflow of a website's shorter retention periods; there is at most one of a website. */
export function retentionWorkflowId(websiteId: string): string {
  return `retention-change/${websiteId}`;
}

/**
 * SQL for the workflow id of a row of `table`. Rows from before the column existed have none: their workflow is
 * `<kind>/<id>`, as it may still run.
 */
export function workflowIdSql(kind: StoredKind, table = ""): string {
  const place = table === "" ? "" : `${table}.`;
  return `coalesce(${place}workflow_id, '${kind}/' || ${place}id)`;
}

/** What follows the kind in the id of a monitor's workflow. */
function subjectOf(monitorWorkflowId: string): string {
  return monitorWorkflowId.slice("monitor/".length);
}
