import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { glob, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Monitor, monitorColumns } from "../../src/uptime/monitor/monitor.ts";
import { notifyMonitor } from "../../src/uptime/run/notifyMonitor.ts";
import { type HookReceiver, startHookReceiver } from "../kit/servers/hookReceiver.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../kit/servers/otlpReceiver.ts";
import { forkProcess } from "../kit/stack/forkedProcess.ts";
import { ownerOf, postJson } from "../kit/stack/owner.ts";
import { startUptimeStack, type UptimeStack } from "../kit/stack/uptimeStack.ts";
import { textOf } from "../kit/stores/ownDatabase.ts";
import { Markers, markedCalls, secretRequestFields } from "./plantMarkers.ts";

const patience = { timeout: 200_000, interval: 250 };
const secret = randomBytes(32).toString("base64url");
const probeKey = "a key of the tests with 32 characters";

let own: UptimeStack;
let hooks: HookReceiver;
let otlp: OtlpReceiver;
beforeAll(async () => {
  // Monitors of /target find it down, and so notify the hooks, which are the other paths.
  hooks = await startHookReceiver("127.0.0.1", (path) => (path.startsWith("/target") ? 503 : 200));
  otlp = await startOtlpReceiver();
  const { questdbHttp, questdbPg } = inject("lookout");
  own = await startUptimeStack({
    env: {
      QUESTDB_HTTP: questdbHttp,
      QUESTDB_PG: questdbPg,
      AUTH_SECRET: secret,
      UPTIME_REGIONS: "eu-1",
      UPTIME_PROBE_KEY: probeKey,
      LOG_LEVEL: "trace",
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.endpoint,
    },
    values: { notifications: { firstRetryMs: 100 } },
    parts: ["temporal", "postgres", "api", "worker"],
  });
}, 600_000);
afterAll(async () => {
  await own?.stop();
  await hooks?.close();
  await otlp?.close();
});

/** A monitor that is checked every two seconds, once PostgreSQL and Temporal know of it by the API. */
async function hurry(id: string): Promise<void> {
  const { rows } = await own.postgres.query<Monitor>(
    `UPDATE monitors SET interval_ms = 2000, phase_ms = 0, revision = revision + 1 WHERE id = $1 RETURNING ${monitorColumns}`,
    [id],
  );
  const [monitor] = rows;
  if (monitor === undefined) throw new Error("The monitor is missing");
  await notifyMonitor(own, monitor);
}

/** Every text of a value, also those that payloads hold as bytes. */
function textsOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name} ${textsOf(member)}`)
    .join("\n");
}

/** What Temporal answers about every run: its description, history and details. */
async function temporalText(): Promise<{ text: string; kinds: Set<string> }> {
  const { client } = own.temporal;
  const seen: string[] = [];
  const kinds = new Set<string>();
  for await (const { workflowId, runId, type } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const about = await handle.describe();
    kinds.add(type);
    seen.push(textsOf(about.raw), `${await about.staticSummary()} ${await about.staticDetails()}`);
    seen.push(textsOf(await handle.fetchHistory()));
    const details = await handle.query("__temporal_workflow_metadata").catch(() => "");
    seen.push(JSON.stringify(details));
  }
  return { text: seen.join("\n"), kinds };
}

/** The files below the directories that hold one of the texts. */
async function filesWith(texts: readonly string[], directories: readonly string[]): Promise<string[]> {
  const patterns = join(own.config.stack.dataDir, "..", `patterns-${randomBytes(6).toString("hex")}`);
  await writeFile(patterns, texts.join("\n"));
  const run = promisify(execFile)("grep", ["-rlaF", "--exclude=credentials.json", "-f", patterns, ...directories]);
  // It ends with 1 when nothing is found, and with 2 when a file is gone meanwhile.
  const { stdout } = await run.catch((failure: { stdout: string }) => failure);
  await rm(patterns);
  return stdout.split("\n").filter((line) => line !== "");
}

test("2, 3, 7: no secret is in any store, history, log, metric or audit row", { timeout: 600_000 }, async () => {
  const owner = await ownerOf(own.config);
  const markers = new Markers();
  markers.add("the owner's key", owner.apiKey);
  const base = `http://127.0.0.1:${hooks.port}`;
  const plantMonitor = (message: string) => ({
    url: `${base}/target?token=${markers.plant(`lookout.v1.${message}.url`)}`,
    headers: { Authorization: `Bearer ${markers.plant(`lookout.v1.${message}.headers`)}` },
    body: markers.plant(`lookout.v1.${message}.body`),
  });
  const { child: probe, output: probeLog } = forkProcess("workflows/probe.ts", {
    args: ["--region", "eu-1"],
    env: {
      TEMPORAL_ADDRESS: own.config.temporal.address,
      UPTIME_PROBE_KEY: probeKey,
      UPTIME_ALLOW_CIDRS: "127.0.0.0/8",
      PROBE_OPERATIONS_PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.endpoint,
      LOG_LEVEL: "trace",
    },
  });
  try {
    await once(probe, "message");
    const channelIds: string[] = [];
    for (const kind of ["webhook", "slack"]) {
      const targetOf = (message: string) => `${base}/hook/${kind}/${markers.plant(`lookout.v1.${message}.target`)}`;
      const made = await postJson<{ channel: { id: string }; secret?: string }>(owner, "/uptime/channels/create", {
        name: "Shown",
        kind,
        target: targetOf("CreateNotificationChannelRequest"),
      });
      const target = targetOf("UpdateNotificationChannelRequest");
      await postJson(owner, "/uptime/channels/update", { id: made.channel.id, target });
      channelIds.push(made.channel.id);
      if (made.secret !== undefined) markers.add("a webhook's secret", made.secret.replace("whsec_", ""));
    }
    const monitor = { websiteId: owner.websiteId, name: "Shown", interval: "1m", method: "POST" };
    const { id } = await postJson<{ id: string }>(owner, "/uptime/monitors/create", {
      ...monitor,
      ...plantMonitor("CreateMonitorRequest"),
      openAfter: 1,
      regions: ["local", "eu-1"],
      escalation: [{ channelIds, afterMinutes: 0 }],
    });
    // Otherwise its first run may take the update along, in the trace of its creation.
    const isLoaded = () => otlp.spans.some(({ name }) => name === "activity loadMonitor");
    await expect.poll(isLoaded, patience).toBe(true);
    const sent = plantMonitor("UpdateMonitorRequest");
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await postJson(
      owner,
      "/uptime/monitors/update",
      { id, ...sent },
      { traceparent, "user-agent": "agent of a person" },
    );
    await hurry(id);
    for (const { path, body } of markedCalls(markers))
      await fetch(`${owner.baseUrl}${path}`, {
        method: "POST",
        headers: { "x-api-key": owner.apiKey, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const signature = markers.plant("lookout.v1.DownloadExportRequest.signature");
    await fetch(`${owner.baseUrl}/v1/exports/none/download?signature=${signature}`);
    const planted = new Set(markers.fieldsIn(markers.texts.join(" ")));
    expect(secretRequestFields().filter((field) => !planted.has(field))).toEqual([]);

    const regions = async () => {
      const rows = await own.questdb.read("SELECT DISTINCT region FROM uptime_checks WHERE monitor_id = $1", [id]);
      return rows.length;
    };
    await expect.poll(regions, patience).toBe(2);
    await expect.poll(() => hooks.below("/hook/webhook/").length, patience).toBeGreaterThan(0);
    await expect.poll(() => hooks.below("/hook/slack/").length, patience).toBeGreaterThan(0);
    // They are used all the same: both regions sent what the monitor says. A check from before the update may end last.
    await expect
      .poll(() => hooks.below("/target").at(-1), patience)
      .toMatchObject({
        path: new URL(sent.url).pathname + new URL(sent.url).search,
        headers: { authorization: sent.headers.Authorization },
        body: sent.body,
      });

    // Each search finds what may be shown, so it works.
    const stored = await textOf({ pool: own.postgres });
    expect(stored).toContain(`${base}/target`);
    expect(stored).toContain("monitor.update");
    expect(markers.fieldsIn(stored), "PostgreSQL").toEqual([]);
    const { text, kinds } = await temporalText();
    expect([...kinds]).toEqual(expect.arrayContaining(["monitor", "delivery", "incident"]));
    expect(text).toContain(`${base}/target`);
    expect(markers.fieldsIn(text), "Temporal").toEqual([]);
    const audit = JSON.stringify(await postJson(owner, "/audit/list", {}));
    expect(audit).toContain(`${base}/target?[hidden]`);
    expect(markers.fieldsIn(audit), "the audit log").toEqual([]);
    const { host, workerPort } = own.config.operations;
    for (const address of [owner.baseUrl, `http://${host}:${workerPort}`]) {
      const metrics = await (await fetch(`${address}/metrics`)).text();
      expect(metrics).toContain("lookout_log_rows");
      expect(markers.fieldsIn(metrics), address).toEqual([]);
    }
    // From the gateway over the stores and Temporal to the workflow's activities, in the trace of the caller.
    const traced = () => otlp.spans.filter((span) => traceparent.includes(span.traceId));
    const placeOf = (name: string) => ({ service: traced().find((span) => span.name === name)?.service });
    await expect.poll(() => placeOf("activity sealCheck"), patience).toEqual({ service: "lookout-worker" });
    await expect.poll(() => placeOf("activity probeCheck"), patience).toEqual({ service: "lookout-probe" });
    const [call, signal] = ["lookout.v1.UptimeService.UpdateMonitor", "temporal signal configure"].map((name) =>
      traced().find((span) => span.name === name),
    );
    expect(call).toMatchObject({ service: "lookout-api", parentId: "b7ad6b7169203331" });
    expect(signal).toMatchObject({ service: "lookout-api", parentId: call?.spanId });
    expect(traced()).toContainEqual(expect.objectContaining({ name: "postgres UPDATE", parentId: call?.spanId }));
    await expect
      .poll(traced, patience)
      .toContainEqual(expect.objectContaining({ name: "activity loadMonitor", parentId: signal?.spanId }));
    const traces = otlp.raw();
    expect(markers.fieldsIn(traces), "traces").toEqual([]);
    for (const text of ["agent of a person", "/target", `${hooks.port}`]) expect(traces).not.toContain(text);

    expect(probeLog()).not.toBe("");
    expect(markers.fieldsIn(probeLog()), "the probe's log").toEqual([]);
    // The files of PostgreSQL with its log, Temporal's database, the durable logs, the logs of all processes; and QuestDB's.
    const directories = [own.config.stack.dataDir];
    for await (const table of glob(`${inject("lookout").dataDir}/questdb/db/uptime_checks*`)) directories.push(table);
    const rows = await own.questdb.read("SELECT * FROM uptime_checks WHERE monitor_id = $1", [id]);
    expect(markers.fieldsIn(JSON.stringify(rows)), "QuestDB").toEqual([]);
    // PostgreSQL writes its pages now.
    await own.postgres.query("CHECKPOINT");
    const shown = await filesWith([`${base}/target`, "the API is ready", "HTTP status 503"], directories);
    const { dataDir } = own.config.stack;
    for (const part of ["postgres/data/base/", "postgres/data/pg_wal/", "temporal/temporal.db", "logs/api.log"])
      expect(
        shown.filter((file) => file.startsWith(`${dataDir}/${part}`)),
        part,
      ).not.toEqual([]);
    expect(shown.filter((file) => file.includes("uptime_checks"))).not.toEqual([]);
    expect(await filesWith(markers.texts, directories)).toEqual([]);
  } finally {
    const ended = once(probe, "exit");
    probe.kill("SIGTERM");
    await ended;
  }
});

test("7: a rotation that is killed again and again loses nothing, while the product runs", {
  timeout: 300_000,
}, async () => {
  const owner = await ownerOf(own.config);
  const made: { id: string; url: string }[] = [];
  for (let number = 0; number < 40; number += 1)
    made.push(
      await postJson(owner, "/uptime/monitors/create", {
        websiteId: owner.websiteId,
        url: `https://shop.invalid/?number=${number}`,
        interval: "24h",
      }),
    );
  const rotate = () =>
    forkProcess("src/main/commands/rotateSecrets.ts", {
      env: {
        DATABASE_URL: own.config.postgres.url,
        AUTH_SECRET: randomBytes(32).toString("base64url"),
        AUTH_SECRET_OLD: secret,
      },
    }).child;
  const expectAll = async () => {
    const { monitors } = await postJson<{ monitors: { id: string; url: string }[] }>(owner, "/uptime/monitors/list", {
      websiteId: owner.websiteId,
    });
    const urls = new Map(monitors.map(({ id, url }) => [id, url]));
    expect(made.map(({ id }) => urls.get(id))).toEqual(made.map(({ url }) => url));
  };
  // While it holds its lock, once it has made a key, and once it has encrypted the monitors with it.
  for (const isReached of [
    "SELECT 1",
    twoKeys,
    "SELECT 1 FROM monitors WHERE secrets LIKE 'lk1.' || newest.id || '.%'",
  ]) {
    await expect.poll(() => finds(lockHeld), patience).toBe(false);
    const killed = rotate();
    const ended = once(killed, "exit");
    const isThere = async () => killed.exitCode !== null || ((await finds(lockHeld)) && (await finds(isReached)));
    await expect.poll(isThere, { ...patience, interval: 2 }).toBe(true);
    killed.kill("SIGKILL");
    await ended;
    await expectAll();
  }
  await expect.poll(() => finds(lockHeld), patience).toBe(false);
  const last = rotate();
  const [code] = await once(last, "exit");
  expect(code).toBe(0);
  await expectAll();
  // Checks go on with what was encrypted anew.
  const before = hooks.below("/target").length;
  await expect.poll(() => hooks.below("/target").length, patience).toBeGreaterThan(before + 1);
});

/** A rotation holds it; PostgreSQL takes it from a killed one once it notices. */
const lockHeld = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7253969 AND granted";
const twoKeys = "SELECT 1 FROM secret_keys HAVING count(DISTINCT id) > 1";

/** Whether a statement finds rows; `newest` is the newest data key. */
async function finds(statement: string): Promise<boolean> {
  const { rows } = await own.postgres.query(
    `SELECT 1 FROM (SELECT id FROM secret_keys ORDER BY number DESC LIMIT 1) newest, LATERAL (${statement}) found LIMIT 1`,
  );
  return rows.length > 0;
}
