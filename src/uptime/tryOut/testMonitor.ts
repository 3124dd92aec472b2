import { validationError } from "../../errors/errors.ts";
import type { TestMonitorReply } from "../../gen/lookout/services.ts";
import type { CreateMonitorRequest, TestMonitorRequest, UpdateMonitorRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { readOutboundUrl } from "../../outbound/readOutboundUrl.ts";
import type { CheckTarget } from "../check/checkTypes.ts";
import { changedOptions, changedSecrets } from "../manage/monitorOptions.ts";
import { readJsonParsingConfig } from "../manage/readJsonParsingConfig.ts";
import { findMonitoredWebsite, findOpenMonitor } from "../monitor/findMonitor.ts";
import { standardOptions } from "../monitor/monitor.ts";
import { targetOf } from "../run/monitorSettings.ts";
import { type CheckCall, checkOnce } from "./checkOnce.ts";

const defaultTimeoutMs = 30_000;

/**
 * POST /uptime/monitors/test: checks once with options that are not saved. Rejects with VALIDATION_ERROR, NOT_FOUND (the website, the monitor)
 * and RATE_LIMIT_EXCEEDED.
 */
export async function testMonitor(
  { monitor, changes }: TestMonitorRequest,
  call: CheckCall,
): Promise<TestMonitorReply> {
  const { target, organizationId } = await testedOf(monitor, changes, call);
  return { result: await checkOnce(target, organizationId, call) };
}

async function testedOf(
  monitor: CreateMonitorRequest | undefined,
  changes: UpdateMonitorRequest | undefined,
  call: CheckCall,
): Promise<Tested> {
  if (monitor !== undefined && changes === undefined) return await made(monitor, call);
  if (changes !== undefined && monitor === undefined) return await changed(changes, call);
  throw validationError([{ field: "monitor", message: "must be given, or changes, but not both" }]);
}

type Tested = { readonly target: CheckTarget; readonly organizationId: string };

async function made(request: CreateMonitorRequest, call: CheckCall): Promise<Tested> {
  const { uptime } = call.app.config;
  const url = readOutboundUrl(request.url, "url", uptime.allowedRanges);
  const options = changedOptions(request, { ...standardOptions, name: "", regions: [] }, uptime.regions);
  const config = request.jsonParsingConfig === undefined ? undefined : readJsonParsingConfig(request.jsonParsingConfig);
  const { organizationId } = await findMonitoredWebsite(request.websiteId, call);
  const { headers, body, timeout = defaultTimeoutMs, cacheBust = false } = request;
  const { method, expectedStatus, keyword, ipVersion, httpVersion, degradedAfterMs } = options;
  return {
    organizationId,
    target: {
      monitorId: "",
      url,
      method,
      headers,
      body: body || undefined,
      expectedStatus,
      keyword,
      timeoutMs: timeout,
      cacheBust,
      jsonParsingConfig: config,
      ipVersion,
      httpVersion,
      degradedAfterMs,
    },
  };
}

async function changed(request: UpdateMonitorRequest, call: CheckCall): Promise<Tested> {
  const { uptime } = call.app.config;
  const url = request.url === undefined ? undefined : readOutboundUrl(request.url, "url", uptime.allowedRanges);
  const config = request.jsonParsingConfig === undefined ? undefined : readJsonParsingConfig(request.jsonParsingConfig);
  const monitor = await findOpenMonitor(request.id, call);
  return {
    organizationId: monitor.organizationId,
    target: targetOf({
      ...monitor,
      options: changedOptions(request, monitor.options, uptime.regions),
      secrets: changedSecrets(request, monitor.secrets, url),
      timeoutMs: request.timeout ?? monitor.timeoutMs,
      cacheBust: request.cacheBust ?? monitor.cacheBust,
      jsonParsingConfig: config ?? monitor.jsonParsingConfig,
    }),
  };
}
