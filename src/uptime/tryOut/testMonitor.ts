import { validationError } from "../../errors/errors.ts";
import type { TestMonitorReply } from "../../gen/lookout/services.ts";
import type { CreateMonitorRequest, TestMonitorRequest, UpdateMonitorRequest } from "../../gen/lookout/v1/uptime_pb.ts";
import { readOutboundUrl } from "../../outbound/readOutboundUrl.ts";
import { changedOptions, changedSecrets } from "../manage/monitorOptions.ts";
import { readJsonParsingConfig } from "../manage/readJsonParsingConfig.ts";
import { findMonitoredWebsite, findOpenMonitor } from "../monitor/findMonitor.ts";
import { defaultTimeoutMs, standardOptions } from "../monitor/monitor.ts";
import { type CheckedMonitor, targetOf } from "../run/monitorSettings.ts";
import { type CheckCall, checkOnce } from "./checkOnce.ts";

/**
 * POST /uptime/monitors/test: checks once with options that are not saved. Rejects with VALIDATION_ERROR, NOT_FOUND (the website, the monitor)
 * and RATE_LIMIT_EXCEEDED.
 */
export async function testMonitor(
  { monitor, changes }: TestMonitorRequest,
  call: CheckCall,
): Promise<TestMonitorReply> {
  const tested = await testedOf(monitor, changes, call);
  return { result: await checkOnce(targetOf(tested), tested.organizationId, call) };
}

type Tested = CheckedMonitor & { readonly organizationId: string };

async function testedOf(
  monitor: CreateMonitorRequest | undefined,
  changes: UpdateMonitorRequest | undefined,
  call: CheckCall,
): Promise<Tested> {
  if (monitor !== undefined && changes === undefined) return await made(monitor, call);
  if (changes !== undefined && monitor === undefined) return await changed(changes, call);
  throw validationError([{ field: "monitor", message: "must be given, or changes, but not both" }]);
}

async function made(request: CreateMonitorRequest, call: CheckCall): Promise<Tested> {
  const { uptime } = call.app.config;
  const { headers, body = "", timeout = defaultTimeoutMs, cacheBust = false } = request;
  const url = readOutboundUrl(request.url, "url", uptime.allowedRanges);
  const options = changedOptions(request, { ...standardOptions, name: "", regions: [] }, uptime.regions);
  const jsonParsingConfig = readJsonParsingConfig(request.jsonParsingConfig) ?? null;
  const { organizationId } = await findMonitoredWebsite(request.websiteId, call);
  const secrets = { url, headers, body: body || null };
  return { organizationId, secrets, options, timeoutMs: timeout, cacheBust, jsonParsingConfig };
}

async function changed(request: UpdateMonitorRequest, call: CheckCall): Promise<Tested> {
  const { uptime } = call.app.config;
  const url = request.url === undefined ? undefined : readOutboundUrl(request.url, "url", uptime.allowedRanges);
  const config = readJsonParsingConfig(request.jsonParsingConfig);
  const monitor = await findOpenMonitor(request.id, call);
  return {
    ...monitor,
    options: changedOptions(request, monitor.options, uptime.regions),
    secrets: changedSecrets(request, monitor.secrets, url),
    timeoutMs: request.timeout ?? monitor.timeoutMs,
    cacheBust: request.cacheBust ?? monitor.cacheBust,
    jsonParsingConfig: config ?? monitor.jsonParsingConfig,
  };
}
