import type { DescMethod } from "@bufbuild/protobuf";

/** Calls that are refused without a website. In others a request without one is about all of them. */
const callsOfWebsites: ReadonlySet<string> = new Set([
  "lookout.v1.FunnelService.AnalyzeFunnel",
  "lookout.v1.FunnelService.AnalyzeGoals",
  "lookout.v1.FunnelService.AnalyzeJourneys",
  "lookout.v1.QueryService.CustomQuery",
]);

/** A request with the client's own website, if the call needs one and the request names none. */
export function withWebsite({ parent, name }: DescMethod, request: unknown, websiteId: string | undefined): unknown {
  if (websiteId === undefined || !callsOfWebsites.has(`${parent.typeName}.${name}`)) return request;
  if (typeof request !== "object" || request === null || Reflect.get(request, "websiteId")) return request;
  return { ...request, websiteId };
}
