import { expect } from "vitest";
import { send } from "../../kit/calls/request.ts";
import type { TestWebsite } from "../../kit/calls/website.ts";
import type { Recorder } from "./recorder.ts";

/** Websites, keys, the audit log, exports and erasures. */
export async function recordWebsites(recorder: Recorder, { apiKey }: TestWebsite): Promise<void> {
  const { id } = await recorder.call("WebsiteService_CreateWebsite", {
    body: { name: "Shop", domain: "shop.example", timezone: "Europe/Berlin" },
  });
  await recorder.call("WebsiteService_GetWebsite", { body: { id } });
  await recorder.call("WebsiteService_UpdateWebsite", { body: { id, name: "The shop", publicAccess: true } });
  await recorder.call("WebsiteService_GetPublicWebsite", { query: { website_id: String(id) } });
  await recorder.call("WebsiteService_ListWebsites", { body: {} });
  await recorder.call("WebsiteService_PreviewRetention", { body: { id, retention: { rawEventsDays: 30 } } });
  await recorder.call("WebsiteService_SetRetention", { body: { id, retention: { rawEventsDays: 30 } } });
  await recorder.call("WebsiteService_CancelRetention", { body: { id } });
  await recorder.call("WebsiteService_ListRetentionRuns", { body: { id, limit: 10 } });
  await recorder.call("WebsiteService_CheckInstallation", { body: { id } });
  await recordData(recorder, String(id), apiKey);
  await recorder.call("WebsiteService_DeleteWebsite", { body: { id } });
  await recorder.call("WebsiteService_RestoreWebsite", { body: { id } });
  const { apiKey: key } = await recorder.call("ApiKeyService_CreateApiKey", {
    body: { name: "Dashboard", scopes: ["read:data", "read:uptime"] },
  });
  const keyId = key?.["id"];
  await recorder.call("ApiKeyService_RotateApiKey", { body: { id: keyId } });
  await recorder.call("ApiKeyService_ListApiKeys", { body: {} });
  await recorder.call("ApiKeyService_RevokeApiKey", { body: { id: keyId } });
  await recorder.refusal("ApiKeyService_RotateApiKey", { body: { id: keyId } });
  await recorder.call("AuditService_ListAuditLog", { body: { websiteId: id, limit: 10 } });
}

async function recordData(recorder: Recorder, id: string, apiKey: string): Promise<void> {
  const path = { website_id: id };
  const days = { start_date: "2026-01-01", end_date: "2026-01-31" };
  const body = { ...days, format: "csv", data_types: ["events"] };
  const made = await recorder.call("DataService_CreateExport", { path, body });
  const export_id = String(made["export_id"]);
  const state = async () => {
    const answer = await send("GET", `/v1/exports/${export_id}`, { apiKey });
    return (answer.body as { status: string }).status;
  };
  await expect.poll(state).toBe("completed");
  await recordCancel(recorder, path, body, apiKey);
  await recorder.refusals("DataService_CancelExport", { path: { export_id }, body: {} });
  await recorder.refusal("DataService_CancelExport", { path: { export_id }, body: {} });
  const done = await recorder.call("DataService_GetExport", { path: { export_id } });
  const signature = new URL(String(done["download_url"])).searchParams.get("signature") ?? "";
  await recorder.call("DataService_DownloadExport", { path: { export_id }, query: { signature } });
  await recorder.call("DataService_ListExports", { path, query: { limit: "10" } });
  await recorder.call("DataService_PreviewDeletion", { path, body: { ...days, data_types: ["events"] } });
  const erasure = await recorder.call("DataService_DeleteData", { path, body: { ...days, data_types: ["events"] } });
  await recorder.call("DataService_GetDeletion", { path: { deletion_id: String(erasure["deletion_id"]) } });
  await recorder.call("DataService_ListDeletions", { path, query: { limit: "10" } });
}

/** An export of an empty website may be done before it is cancelled. */
async function recordCancel(recorder: Recorder, path: { website_id: string }, body: object, apiKey: string) {
  const cancel = async () => {
    const made = await send("POST", `/v1/websites/${path.website_id}/export`, { apiKey, body });
    const { export_id } = made.body as { export_id: string };
    return await recorder.callOnly("DataService_CancelExport", { path: { export_id }, body: {} });
  };
  await expect.poll(cancel).toMatchObject({ export_id: expect.any(String) });
}
