import { randomUUID } from "node:crypto";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readAccountSecrets } from "../../src/accounts/accountSecrets.ts";
import { versionedSecrets } from "../../src/accounts/secondFactorKeys.ts";
import { readSigningSecret } from "../../src/lifecycle/export/request/downloadSignature.ts";
import { rotateStoredSecrets } from "../../src/main/storedSecrets.ts";
import { inTransaction } from "../../src/store/postgres/inTransaction.ts";
import { preparePostgres } from "../../src/store/postgres/postgres.ts";
import { type Monitor, type MonitorSecrets, monitorColumns } from "../../src/uptime/monitor/monitor.ts";
import { openMonitor } from "../../src/uptime/monitor/monitorSecrets.ts";
import {
  createDatabase,
  type OwnDatabase,
  type SecretsProcess,
  secretsProcess,
  textOf,
} from "../kit/stores/ownDatabase.ts";

/** With a comma, which also separates former secrets. */
const first = "the first secret, of 32 characters";
const second = "the second secret of 32 characters";
/** One that 0.2.0 generated. */
const generated = "generated-by-an-earlier-version-0123456789";
const target = "https://hooks.example.com/s3cret-path";

let own: OwnDatabase;
beforeEach(async () => {
  own = await createDatabase();
});
afterEach(() => own.remove());

/** What 0.2.0 stored, with so many monitors. Resolves to the id of the channel. */
async function fillInTheClear(monitors = 3): Promise<string> {
  const { pool } = own;
  const silent = { level: "silent", debug() {}, warn() {}, error() {} } as never;
  await preparePostgres(pool, silent, new AbortController().signal, async () => undefined);
  const id = randomUUID();
  await pool.query("INSERT INTO organizations (id, name) VALUES ($1, 'Test')", [id]);
  await pool.query(
    "INSERT INTO websites (id, client_id, organization_id, name, domain) VALUES ($1, $1, $1, 'Test', 'example.com')",
    [id],
  );
  await pool.query(
    `INSERT INTO monitors (id, website_id, organization_id, url, interval_ms, phase_ms, timeout_ms, cache_bust, options, status)
     SELECT gen_random_uuid()::text, $1, $1, given ->> 'url', 60000, 0, 1000, false, given - 'url', 'paused'
     FROM jsonb_array_elements($2::jsonb) given`,
    [id, JSON.stringify(Array.from({ length: monitors }, (_, number) => givenMonitor(number)))],
  );
  await pool.query(
    "INSERT INTO notification_channels (id, organization_id, name, kind, target, secret) VALUES ($1, $1, 'Ops', 'webhook', $2, 'whsec_s3cret')",
    [id, target],
  );
  await pool.query("INSERT INTO service_secrets (name, secret) VALUES ('accounts', $1)", [generated]);
  await pool.query("INSERT INTO export_secrets (secret) VALUES ($1)", [Buffer.from("s3cret").toString("base64")]);
  await pool.query("INSERT INTO users (id, email) VALUES ($1, 'a@example.com')", [id]);
  await pool.query("INSERT INTO second_factors (id, user_id, secret, backup_codes) VALUES ($1, $1, $2, $3)", [
    id,
    await symmetricEncrypt({ key: generated, data: "s3cret-totp" }),
    await symmetricEncrypt({ key: generated, data: '["s3cret-code"]' }),
  ]);
  return id;
}

function givenMonitor(number: number) {
  const url = `https://shop.example/health?token=s3cret-${number}`;
  return { name: `m${number}`, url, headers: { Authorization: `Bearer s3cret-${number}` } };
}

async function openedMonitors({ keyring }: SecretsProcess): Promise<MonitorSecrets[]> {
  const { rows } = await own.pool.query<Monitor>(
    `SELECT ${monitorColumns} FROM monitors ORDER BY length(options ->> 'name'), options ->> 'name'`,
  );
  return await Promise.all(rows.map(async (row) => (await openMonitor(own.pool, keyring, row)).secrets));
}

/** All that is secret is readable for a process. */
async function expectReadable(process: SecretsProcess, channelId: string, monitors = 3): Promise<void> {
  const { pool } = own;
  const { keyring } = process;
  const given = Array.from({ length: monitors }, (_, number) => givenMonitor(number));
  expect(await openedMonitors(process)).toEqual(given.map(({ url, headers }) => ({ url, headers, body: null })));
  const { rows } = await pool.query("SELECT target, secret FROM notification_channels");
  expect(await keyring.open(pool, "notification_channels.target", channelId, rows[0].target)).toBe(target);
  expect(await keyring.open(pool, "notification_channels.secret", channelId, rows[0].secret)).toBe("whsec_s3cret");
  expect((await readSigningSecret({ postgres: pool, keyring })).toString()).toBe("s3cret");
}

/** So is the second factor. */
async function expectSecondFactor({ config, keyring }: SecretsProcess): Promise<void> {
  const secrets = await readAccountSecrets(config.accounts, own.pool, keyring);
  const keys = new Map(versionedSecrets(secrets).map(({ version, value }) => [version, value]));
  const key = { keys, currentVersion: 0 };
  const { rows } = await own.pool.query("SELECT secret, backup_codes FROM second_factors");
  expect(await symmetricDecrypt({ key, data: rows[0].secret })).toBe("s3cret-totp");
  expect(await symmetricDecrypt({ key, data: rows[0].backup_codes })).toBe('["s3cret-code"]');
}

const rotate = ({ config, keyring }: SecretsProcess) => rotateStoredSecrets(own.pool, config, keyring);

test("7: the start encrypts what an earlier version stored in the clear, once, however many processes start", async () => {
  const channelId = await fillInTheClear(250);
  expect(await textOf(own)).toContain("s3cret-249");
  const processes = [first, first].map((secret) => secretsProcess(own, { AUTH_SECRET: secret }));
  await Promise.all(processes.map((process) => process.start()));
  expect(await textOf(own)).not.toMatch(/s3cret|generated-by/);
  for (const process of processes) {
    await expectReadable(process, channelId, 250);
    await expectSecondFactor(process);
  }
  expect((await own.pool.query("SELECT DISTINCT id FROM secret_keys")).rows).toHaveLength(1);
  expect((await own.pool.query("SELECT shown_url, url FROM monitors LIMIT 1")).rows).toEqual([
    { shown_url: "https://shop.example/health", url: "" },
  ]);
});

test("7: a start with another key is refused with what to do, and changes nothing", async () => {
  await fillInTheClear();
  await secretsProcess(own, { AUTH_SECRET: first }).start();
  const before = await textOf(own);
  const wrong = [
    [{ AUTH_SECRET: second }, /^AUTH_SECRET is another one than when .* npm run rotate-secrets\. See docs/],
    [{}, /^AUTH_SECRET is not set, but was when the secrets/],
    [{ SECRETS_KEY_COMMAND: `echo ${"x".repeat(32)}`, AUTH_SECRET: first }, /^SECRETS_KEY_COMMAND prints another key/],
    [{ SECRETS_KEY_COMMAND: "echo s3cret; exit 3" }, /^SECRETS_KEY_COMMAND ended with 3: it must print the key/],
    [{ SECRETS_KEY_COMMAND: "echo s3cret" }, /^SECRETS_KEY_COMMAND must print a key of at least 32 characters/],
  ] as const;
  for (const [env, message] of wrong) {
    const refused = secretsProcess(own, env).start();
    await expect(refused).rejects.toMatchObject({ name: "ConfigError", message: expect.stringMatching(message) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining("s3cret") });
  }
  expect(await textOf(own)).toBe(before);
});

test("7: while the secrets are encrypted anew, processes with the former key read and write; then it opens nothing", async () => {
  const channelId = await fillInTheClear(250);
  const running = secretsProcess(own, { AUTH_SECRET: first });
  await running.start();
  const before = await textOf(own);
  const both = secretsProcess(own, { AUTH_SECRET: second, AUTH_SECRET_OLD: first });

  // One that ends before its end loses nothing and is repeated.
  const broken = secretsProcess(own, { AUTH_SECRET: second, AUTH_SECRET_OLD: first });
  await own.pool.query("ALTER TABLE audit_log RENAME TO audit_log_away");
  await expect(rotate(broken)).rejects.toThrow(/audit_log/);
  await own.pool.query("ALTER TABLE audit_log_away RENAME TO audit_log");
  for (const process of [running, both]) await expectReadable(process, channelId, 250);

  let isDone = false;
  const rotation = rotate(both).finally(() => {
    isDone = true;
  });
  for (let written = 0; !isDone || written === 0; written += 1) {
    await inTransaction(own.pool, async (client) =>
      client.query("UPDATE notification_channels SET target = $1", [
        await running.keyring.seal(client, "notification_channels.target", channelId, target),
      ]),
    );
    await expectReadable(running, channelId, 250);
  }
  expect(await rotation).toMatchObject({ opensWithFormerKey: true });
  for (const process of [running, both, secretsProcess(own, { AUTH_SECRET: first })]) {
    await expectReadable(process, channelId, 250);
    await expectSecondFactor(process);
  }
  const envelopes = (text: string) => new Set(text.match(/lk1\.[\w.-]+/g));
  expect(envelopes(before).isDisjointFrom(envelopes(await textOf(own)))).toBe(true);
  expect((await own.pool.query("SELECT action, actor_type FROM audit_log")).rows).toEqual([
    { action: "secrets.rotate", actor_type: "service" },
  ]);

  // Once all processes were restarted, the former one is removed.
  await both.start();
  expect(await rotate(secretsProcess(own, { AUTH_SECRET: second }))).toMatchObject({ opensWithFormerKey: false });
  const restarted = secretsProcess(own, { AUTH_SECRET: second });
  await restarted.start();
  await expectReadable(restarted, channelId, 250);
  await expectSecondFactor(restarted);
  await expect(secretsProcess(own, { AUTH_SECRET: first }).start()).rejects.toThrow(/AUTH_SECRET is another one/);
});

test("7: a service without AUTH_SECRET changes to one, and from there to a command, and no former key stays", async () => {
  const channelId = await fillInTheClear();
  const without = secretsProcess(own);
  await without.start();
  await expectReadable(without, channelId);
  await expectSecondFactor(without);
  expect((await own.pool.query("SELECT 1 FROM generated_keys")).rows).toHaveLength(1);

  const withSecret = secretsProcess(own, { AUTH_SECRET: first });
  await withSecret.start();
  await rotate(withSecret);
  expect((await own.pool.query("SELECT 1 FROM generated_keys UNION SELECT 1 FROM service_secrets")).rows).toEqual([]);
  await expectReadable(without, channelId);
  await expectReadable(secretsProcess(own, { AUTH_SECRET: first }), channelId);

  const command = `printf '%s\\n' '${"k".repeat(40)}'`;
  const byCommand = { AUTH_SECRET: first, SECRETS_KEY_COMMAND: command };
  await rotate(secretsProcess(own, { ...byCommand, AUTH_SECRET_OLD: first }));
  await rotate(secretsProcess(own, byCommand));
  await expectReadable(secretsProcess(own, byCommand), channelId);
  await expectSecondFactor(secretsProcess(own, byCommand));
  await expect(secretsProcess(own, { AUTH_SECRET: first }).start()).rejects.toThrow(/AUTH_SECRET is another one/);
});
