import type { DescField, DescFile, DescMethod, DescService } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { capitalised } from "./rowTypes.ts";

/** Services of people who are signed in, and of trackers that others wrote: no client with an API key has them. */
export const withoutKeys: readonly string[] = ["AuthService", "OrganizationService", "ClientService"];

/** What clients call each service, as words. */
const names: Readonly<Record<string, string>> = {
  ApiKeyService: "api keys",
  AuditService: "audit log",
  DataService: "data",
  FunnelService: "funnels",
  IngestService: "ingest",
  LinkService: "links",
  LlmCallService: "llm calls",
  MaintenanceWindowService: "maintenance windows",
  NotificationChannelService: "notification channels",
  QueryService: "queries",
  ScriptErrorService: "script errors",
  SegmentService: "segments",
  SharedDashboardService: "shared dashboards",
  StatusPageService: "status page",
  StatusReportService: "status reports",
  UptimeService: "uptime",
  VitalService: "vitals",
  WebsiteService: "websites",
};

/** The services of the contract that take an API key. */
export function clientServices(files: readonly DescFile[]): readonly DescService[] {
  return files.flatMap((file) => file.services).filter(({ name }) => !withoutKeys.includes(name));
}

/** The words by which clients call a service: `["api", "keys"]`. */
export function serviceWords({ name }: DescService): readonly string[] {
  const words = names[name];
  if (words === undefined) throw new Error(`${name} has no name in codegen/client/clientServices.ts yet`);
  return words.split(" ");
}

/** The words of a service as one: `apiKeys`. */
export function serviceName(service: DescService): string {
  return serviceWords(service)
    .map((word, index) => (index === 0 ? word : capitalised(word)))
    .join("");
}

/** How often a call may be made: as the contract says, or once, or as often as wanted with an idempotency key. */
export type Repeats = "safe" | "with key" | "no";

export function repeatsOf({ idempotency, input }: DescMethod): Repeats {
  if (idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN) return "safe";
  return input.fields.some(({ name }) => name === "idempotency_key") ? "with key" : "no";
}

/** Whether a call deletes, and may be repeated. */
export function deletes(method: DescMethod): boolean {
  const isDone = method.output.fields.some(({ name }) => name === "success");
  return method.name.startsWith("Delete") && repeatsOf(method) === "safe" && isDone;
}

/** A call whose answers are pages: `items` is the field of the answer that lists the objects of a page. */
export type PagedMethod = { readonly items: DescField & { readonly fieldKind: "list"; readonly listKind: "message" } };

/** Undefined for calls that answer everything at once. */
export function pagedMethod({ input, output, methodKind }: DescMethod): PagedMethod | undefined {
  if (methodKind !== "unary" || !input.fields.some(({ name }) => name === "cursor")) return undefined;
  if (!output.fields.some(({ name }) => name === "next_cursor")) return undefined;
  const [items, ...others] = output.fields.flatMap((field) =>
    field.fieldKind === "list" && field.listKind === "message" ? [field] : [],
  );
  if (items === undefined || others.length > 0) throw new Error(`${output.name} does not have one list of objects`);
  return { items };
}
