import { expect } from "vitest";
import { send } from "../../kit/calls/request.ts";
import type { TestWebsite } from "../../kit/calls/website.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import type { Recorder } from "./recorder.ts";

/** Websites, keys, the audit log, exports and erasures. */
export async function recordWebsites(recorder: Recorder, { apiKey }: TestWebsite): Promise<void> {
  const { id } = await recorder.call("createWebsite", {
    body: { name: "Shop", domain: "shop.example", timezone: "Europe/Berlin" },
  });
  await recorder.call("getWebsite", { body: { id } });
  await recorder.call("updateWebsite", { body: { id, name: "The shop", publicAccess: true } });
  await recorder.call("getPublicWebsite", { query: { website_id: String(id) } });
  await recordSegments(recorder, String(id));
  await recordShared(recorder, String(id));
  await recorder.call("listWebsites", { body: {} });
  await recorder.call("previewRetention", { body: { id, retention: { rawEventsDays: 30 } } });
  await recorder.call("previewRules", { body: { id, rules: { countries: ["DE"], networks: ["203.0.113.0/24"] } } });
  await recorder.call("setRetention", { body: { id, retention: { rawEventsDays: 30 } } });
  await recorder.call("cancelRetention", { body: { id } });
  // As daily runs, of which other tests may start one meanwhile.
  await inDatabase((database) =>
    database.query(
      "INSERT INTO retention_runs (id, website_id, due_at, finished_at) VALUES ($1, $2, date_trunc('day', now()), clock_timestamp())",
      [`example ${id}`, id],
    ),
  );
  await recorder.call("listRetentionRuns", { body: { id, limit: 10 } });
  await recorder.call("getPrivacyReport", { path: { website_id: String(id) }, query: { language: "en" } });
  await recorder.call("checkInstallation", { body: { id } });
  await recordData(recorder, String(id), apiKey);
  await recorder.call("deleteWebsite", { body: { id } });
  await recorder.call("restoreWebsite", { body: { id } });
  const { apiKey: key } = await recorder.call("createApiKey", {
    body: { name: "Dashboard", scopes: ["read:data", "read:uptime"] },
  });
  const keyId = key?.["id"];
  await recorder.call("rotateApiKey", { body: { id: keyId } });
  await recorder.call("listApiKeys", { body: {} });
  await recorder.call("revokeApiKey", { body: { id: keyId } });
  await recorder.refusal("rotateApiKey", { body: { id: keyId } });
  await recorder.call("listAuditLog", { body: { websiteId: id, limit: 10 } });
}

async function recordShared(recorder: Recorder, websiteId: string): Promise<void> {
  const share = { name: "Customer", types: ["summary_metrics", "events_by_date", "top_pages"] };
  const filters = [{ field: "country", op: "eq", value: "DE" }];
  const body = { websiteId, ...share, filters, origins: ["https://example.com"] };
  const { token, sharedDashboard } = await recorder.call("createSharedDashboard", { body });
  const id = sharedDashboard?.["id"];
  await recorder.refusal("createSharedDashboard", { body: { ...body, types: ["recent_errors"] } });
  await recorder.call("listSharedDashboards", { query: { website_id: websiteId } });
  await recorder.call("openSharedDashboard", { body: { token } });
  await recorder.call("updateSharedDashboard", { body: { id, ...share, expiresAt: "2099-01-01T00:00:00Z" } });
  await recorder.call("deleteSharedDashboard", { body: { id } });
  await recorder.refusal("openSharedDashboard", { body: { token } });
}

async function recordSegments(recorder: Recorder, websiteId: string): Promise<void> {
  const filters = [{ field: "device_type", op: "eq", value: "mobile" }];
  const body = { websiteId, name: "Phones", filters, shared: true };
  const { id } = await recorder.call("createSegment", { body });
  await recorder.refusal("createSegment", { body });
  await recorder.call("updateSegment", { body: { id, name: "On a phone" } });
  await recorder.call("listSegments", { query: { website_id: websiteId } });
  await recorder.call("deleteSegment", { body: { id } });
}

async function recordData(recorder: Recorder, id: string, apiKey: string): Promise<void> {
  const path = { website_id: id };
  const days = { start_date: "2026-01-01", end_date: "2026-01-31" };
  const body = { ...days, format: "csv", data_types: ["events"] };
  const made = await recorder.call("createExport", { path, body });
  const export_id = String(made["export_id"]);
  const state = async () => {
    const answer = await send("GET", `/v1/exports/${export_id}`, { apiKey });
    return (answer.body as { status: string }).status;
  };
  await expect.poll(state).toBe("completed");
  await recordCancel(recorder, path, body, apiKey);
  await recorder.refusals("cancelExport", { path: { export_id }, body: {} });
  await recorder.refusal("cancelExport", { path: { export_id }, body: {} });
  const done = await recorder.call("getExport", { path: { export_id } });
  const signature = new URL(String(done["download_url"])).searchParams.get("signature") ?? "";
  await recorder.call("downloadExport", { path: { export_id }, query: { signature } });
  await recorder.call("listExports", { path, query: { limit: "10" } });
  await recorder.call("previewDeletion", { path, body: { ...days, data_types: ["events"] } });
  const erasure = await recorder.call("deleteData", { path, body: { ...days, data_types: ["events"] } });
  await recorder.call("getDeletion", { path: { deletion_id: String(erasure["deletion_id"]) } });
  await recorder.call("listDeletions", { path, query: { limit: "10" } });
}

/** An export of an empty website may be done before it is cancelled. */
async function recordCancel(recorder: Recorder, path: { website_id: string }, body: object, apiKey: string) {
  const cancel = async () => {
    const made = await send("POST", `/v1/websites/${path.website_id}/export`, { apiKey, body });
    const { export_id } = made.body as { export_id: string };
    return await recorder.callOnly("cancelExport", { path: { export_id }, body: {} });
  };
  await expect.poll(cancel).toMatchObject({ export_id: expect.any(String) });
}
