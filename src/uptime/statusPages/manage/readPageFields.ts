import type { Website } from "../../../access/websiteDirectory.ts";
import { type ErrorDetail, validationError } from "../../../errors/errors.ts";
import type { CreateStatusPageRequest, PreviewStatusPageRequest } from "../../../gen/lookout/v1/status_page_pb.ts";
import { isStorableText, unstorableText } from "../../../text/isStorableText.ts";
import { findMonitoredWebsite } from "../../monitor/findMonitor.ts";
import { requireMonitors } from "../../monitor/requireMonitors.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import type { StatusPage, StatusPageGroup } from "./statusPage.ts";

/** Throws VALIDATION_ERROR for a title that is blank, and for text that PostgreSQL cannot store. */
export function requireTexts(texts: Readonly<Record<string, string | undefined>>): void {
  const details = Object.entries(texts).flatMap(([field, text]): ErrorDetail[] => {
    if (text === undefined) return [];
    if (!isStorableText(text)) return [{ field, message: unstorableText }];
    const isNeeded = field === "title" || field === "text";
    return isNeeded && text.trim() === "" ? [{ field, message: "must not be blank" }] : [];
  });
  if (details.length > 0) throw validationError(details);
}

/** The fields that a new page and a preview have in common. Rejects with VALIDATION_ERROR and NOT_FOUND (the website). */
export async function readNewPage(
  request: CreateStatusPageRequest | PreviewStatusPageRequest,
  call: UptimeCall,
): Promise<{
  readonly website: Website;
  readonly fields: Pick<StatusPage, "title" | "logoText" | "description" | "groups" | "accentColor">;
}> {
  const { title, logoText = "", description = "", accentColor = "" } = request;
  requireTexts({ title, logoText, description });
  const website = await findMonitoredWebsite(request.websiteId, call);
  const groups = await readGroups(request.groups, website.id, call);
  const texts = { title: title.trim(), logoText: logoText.trim(), description: description.trim() };
  return { website, fields: { ...texts, groups, accentColor: accentColor.toLowerCase() } };
}

/**
 * The groups of a request. Rejects with VALIDATION_ERROR that names each monitor that the website does not have or that
 * is named twice.
 */
export async function readGroups(
  given: readonly StatusPageGroup[],
  websiteId: string,
  call: UptimeCall,
): Promise<StatusPageGroup[]> {
  requireTexts(Object.fromEntries(given.map(({ name }, index) => [`groups[${index}].name`, name])));
  const named = given.flatMap(({ monitorIds }, group) =>
    monitorIds.map((id, index) => ({ id, field: `groups[${group}].monitorIds[${index}]` })),
  );
  const seen = new Set<string>();
  const twice = named.filter(({ id }) => seen.size === seen.add(id).size);
  if (twice.length > 0)
    throw validationError(twice.map(({ field }) => ({ field, message: "names a monitor that the page has already" })));
  await requireMonitors(named, websiteId, call);
  return given.map(({ name, monitorIds }) => ({ name: name.trim(), monitorIds: [...monitorIds] }));
}
