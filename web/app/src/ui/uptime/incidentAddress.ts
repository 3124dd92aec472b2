/** The place of an incident's page. The id of an incident has a slash, so it is two segments of the address. */
export function incidentSegments(websiteId: string, incidentId: string): readonly string[] {
  return ["uptime", websiteId, "incident", ...incidentId.split("/")];
}
