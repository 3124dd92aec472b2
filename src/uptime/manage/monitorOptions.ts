import { type ErrorDetail, validationError } from "../../errors/errors.ts";
import type { CreateMonitorRequest, UpdateMonitorRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { isStorableText, unstorableText } from "../../text/isStorableText.ts";
import { nearest } from "../../text/nearest.ts";
import type { MonitorOptions, MonitorSecrets } from "../monitor/monitor.ts";

type Request = CreateMonitorRequest | UpdateMonitorRequest;

/** A valid header name (RFC 9110 5.1). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Headers that frame the message are set by us. */
const framingHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * The options of a request merged with the previous ones. Lists and headers in the request replace the previous ones, and those of `clear`
 * are emptied.
 * `regions` are the existing ones. Throws VALIDATION_ERROR that names the field.
 */
export function changedOptions(request: Request, before: MonitorOptions, regions: readonly string[]): MonitorOptions {
  const details = [
    ...wrongTexts(request),
    ...wrongHeaders(request),
    ...wrongClears(request),
    ...wrongRanges(request),
    ...unknownRegions(request, regions),
  ];
  if (details.length > 0) throw validationError(details);
  return {
    name: request.name ?? before.name,
    method: request.method ?? before.method,
    expectedStatus: request.expectedStatus.length === 0 ? before.expectedStatus : request.expectedStatus,
    keyword: request.keyword ?? before.keyword,
    degradedAfterMs: request.degradedAfterMs ?? before.degradedAfterMs,
    openAfter: request.openAfter ?? before.openAfter,
    resolveAfter: request.resolveAfter ?? before.resolveAfter,
    regions: request.regions.length === 0 ? before.regions : [...new Set(request.regions)].sort(),
    // The contract allows no other values.
    ipVersion: (request.ipVersion as MonitorOptions["ipVersion"] | undefined) ?? before.ipVersion,
    httpVersion: (request.httpVersion as MonitorOptions["httpVersion"] | undefined) ?? before.httpVersion,
    certificateNoticeDays: request.certificateNoticeDays ?? before.certificateNoticeDays,
    escalation:
      request.escalation.length === 0
        ? kept("escalation", request, before.escalation, [])
        : request.escalation
            .map(({ channelIds, afterMinutes }) => ({ channelIds, afterMinutes }))
            .sort((one, other) => one.afterMinutes - other.afterMinutes),
  };
}

/** The secrets of a request merged with the previous ones; `url` is the checked one of the request. */
export function changedSecrets(
  request: UpdateMonitorRequest,
  before: MonitorSecrets,
  url: string | undefined,
): MonitorSecrets {
  const { headers, body } = request;
  return {
    url: url ?? before.url,
    headers: Object.keys(headers).length === 0 ? kept("headers", request, before.headers, {}) : headers,
    body: body === undefined ? before.body : body || null,
  };
}

/** What a field that a request does not give becomes: `empty` if the request clears it. */
function kept<T>(field: string, request: Request, before: T, empty: T): T {
  return "clear" in request && request.clear.includes(field) ? empty : before;
}

function wrongClears(request: Request): ErrorDetail[] {
  if (!("clear" in request)) return [];
  const given = { headers: Object.keys(request.headers).length, escalation: request.escalation.length };
  return Object.entries(given).flatMap(([field, length]) =>
    length > 0 && request.clear.includes(field)
      ? [{ field: "clear", message: `must not name ${field}, which is given` }]
      : [],
  );
}

function wrongTexts({ name, keyword, body, headers }: Request): ErrorDetail[] {
  const values = Object.entries(headers).map(([header, value]) => [`headers.${header}`, value] as const);
  return [...Object.entries({ name, keyword, body }), ...values].flatMap(([field, text = ""]) =>
    isStorableText(text) ? [] : [{ field, message: unstorableText }],
  );
}

function wrongHeaders({ headers }: Request): ErrorDetail[] {
  return Object.keys(headers).flatMap((name) => {
    if (!headerName.test(name)) return [{ field: `headers.${name}`, message: "is no name of an HTTP header" }];
    return framingHeaders.has(name.toLowerCase())
      ? [{ field: `headers.${name}`, message: "is set by the check itself" }]
      : [];
  });
}

const statusForm = /^[1-5]([0-9]{2}(-[1-5][0-9]{2})?|xx)$/;

function wrongRanges({ expectedStatus }: Request): ErrorDetail[] {
  return expectedStatus.flatMap((entry, index) => {
    if (!statusForm.test(entry))
      return [
        { field: `expectedStatus[${index}]`, message: "must be a status such as 200, a range such as 200-299, or 2xx" },
      ];
    const [first = "", last = first] = entry.split("-");
    return Number(last) < Number(first)
      ? [{ field: `expectedStatus[${index}]`, message: "must not end before it begins" }]
      : [];
  });
}

function unknownRegions({ regions }: Request, known: readonly string[]): ErrorDetail[] {
  return regions.flatMap((region, index) => {
    if (known.includes(region)) return [];
    const suggestion = nearest(region, known);
    const message = `is no region with a probe; there are ${known.join(", ")}`;
    return [{ field: `regions[${index}]`, message, ...(suggestion === undefined ? {} : { suggestion }) }];
  });
}
