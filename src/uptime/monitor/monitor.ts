import { workflowLink } from "../../access/workflowLink.ts";
import type { EveryField } from "../../call/everyField.ts";
import type { MonitorInit } from "../../gen/lookout/services.ts";
import type { MonitorSchema } from "../../gen/lookout/v1/uptime_pb.ts";
import { epochMs } from "../../store/postgres/epochMs.ts";
import { workflowIdSql } from "../../store/temporal/workflowIds.ts";
import type { JsonParsingConfig } from "../check/checkTypes.ts";
import type { UptimeCall } from "../uptimeCall.ts";

export type MonitorStatus = "active" | "paused" | "stopped";

/** The intervals of specification part 2, in ms. */
export const intervalsMs: ReadonlyMap<string, number> = new Map([
  ["1m", 60_000],
  ["5m", 300_000],
  ["15m", 900_000],
  ["30m", 1_800_000],
  ["1h", 3_600_000],
  ["6h", 21_600_000],
  ["12h", 43_200_000],
  ["24h", 86_400_000],
]);

/** How long a check may take, specification part 8. */
export const defaultTimeoutMs = 30_000;

/**
 * Settings of a customer beyond the fields of the specification, stored as JSON in PostgreSQL. What may be a secret is
 * in MonitorSecrets instead.
 */
export type MonitorOptions = {
  readonly name: string;
  readonly method: string;
  readonly expectedStatus: readonly string[];
  readonly keyword: string;
  readonly degradedAfterMs: number;
  readonly openAfter: number;
  readonly resolveAfter: number;
  readonly regions: readonly string[];
  readonly ipVersion: "auto" | "4" | "6";
  readonly httpVersion: "auto" | "1.1" | "2";
  readonly certificateNoticeDays: number;
  readonly escalation: readonly { readonly channelIds: readonly string[]; readonly afterMinutes: number }[];
};

/** The options of a monitor that sets none, also those that monitors from earlier versions lack. */
export const standardOptions: Omit<MonitorOptions, "name" | "regions"> = {
  method: "GET",
  expectedStatus: ["200-299"],
  keyword: "",
  degradedAfterMs: 5_000,
  openAfter: 2,
  resolveAfter: 1,
  ipVersion: "auto",
  httpVersion: "auto",
  certificateNoticeDays: 14,
  escalation: [],
};

/**
 * What a check sends that may be a secret, stored encrypted. The contract marks these fields with `debug_redact`, and
 * test/secrets/secretFields.unit.test.ts compares the two.
 */
export type MonitorSecrets = {
  /** With its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** A row of the table monitors, without its secrets. Slots are due at phaseMs + k * intervalMs since 1970. Times are Unix ms. */
export type Monitor = {
  readonly id: string;
  readonly workflowId: string;
  readonly websiteId: string;
  readonly organizationId: string;
  /** Without its query. */
  readonly shownUrl: string;
  /** The MonitorSecrets, encrypted or, of a monitor that no start has encrypted yet, in the clear. Opened by openMonitor. */
  readonly stored: string;
  readonly intervalMs: number;
  readonly phaseMs: number;
  readonly timeoutMs: number;
  readonly cacheBust: boolean;
  readonly jsonParsingConfig: JsonParsingConfig | null;
  readonly options: MonitorOptions;
  readonly status: MonitorStatus;
  /** Incremented by each change. */
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

/** A monitor whose secrets were decrypted. */
export type OpenMonitor = Monitor & { readonly secrets: MonitorSecrets };

/** The SQL of a monitor's secrets before a start has encrypted them, as text. */
export const plainSecrets = `json_build_object('url', url, 'headers', coalesce(options -> 'headers', '{}'), 'body', options -> 'body')::text`;

/** Columns of the table monitors, as a Monitor names them. */
export const monitorColumns = `id, ${workflowIdSql("monitor")} AS "workflowId", website_id AS "websiteId", organization_id AS "organizationId",
  coalesce(shown_url, split_part(url, '?', 1)) AS "shownUrl", coalesce(secrets, ${plainSecrets}) AS stored, interval_ms AS "intervalMs",
  phase_ms AS "phaseMs", timeout_ms AS "timeoutMs", cache_bust AS "cacheBust", json_parsing_config AS "jsonParsingConfig",
  '${JSON.stringify(standardOptions)}'::jsonb || (options - 'headers' - 'body') AS options, status,
  revision, ${epochMs("created_at")} AS "createdAtMs", ${epochMs("updated_at")} AS "updatedAtMs"`;

/** A monitor as answers show it, without values of headers and the body: they may be secrets. */
export function monitorMessage(monitor: OpenMonitor, call: Pick<UptimeCall, "app" | "caller">): MonitorInit {
  const { options, secrets, jsonParsingConfig, createdAtMs, updatedAtMs } = monitor;
  return {
    id: monitor.id,
    websiteId: monitor.websiteId,
    url: secrets.url,
    interval: intervalName(monitor.intervalMs),
    timeout: monitor.timeoutMs,
    cacheBust: monitor.cacheBust,
    jsonParsingConfig: jsonParsingConfig ?? undefined,
    status: monitor.status,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
    workflowUrl: workflowLink(call, monitor.workflowId),
    ...options,
    headerNames: Object.keys(secrets.headers),
    hasBody: secrets.body !== null,
    expectedStatus: [...options.expectedStatus],
    regions: [...options.regions],
    escalation: options.escalation.map(({ channelIds, afterMinutes }) => ({
      channelIds: [...channelIds],
      afterMinutes,
    })),
  } satisfies EveryField<typeof MonitorSchema>;
}

/** The name of an interval, such as 5m. */
export function intervalName(intervalMs: number): string {
  for (const [name, ms] of intervalsMs) if (ms === intervalMs) return name;
  return `${intervalMs / 1_000}s`;
}
