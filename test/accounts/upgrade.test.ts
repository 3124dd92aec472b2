import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { hashPassword } from "../../src/access/passwordHash.ts";
import { handlers } from "../../src/handlers.ts";
import { openBrowser } from "../kit/calls/person.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

const name = `upgrade_${randomUUID().replaceAll("-", "")}`;
const databaseUrl = new URL(inject("lookout").databaseUrl);
databaseUrl.pathname = `/${name}`;

let database: pg.Client;
let own: OwnServer | undefined;
beforeAll(async () => {
  await inDatabase((all) => all.query(`CREATE DATABASE ${name}`));
  database = new pg.Client({ connectionString: databaseUrl.href });
  await database.connect();
});
afterAll(async () => {
  await own?.close();
  await database?.end();
  await inDatabase((all) => all.query(`DROP DATABASE ${name}`));
});

/** One part of a migration's file, as the service would run it. */
async function migrate(file: string, part: "Up" | "Down" = "Up"): Promise<void> {
  const text = await readFile(new URL(`../../src/store/postgres/migrations/${file}.sql`, import.meta.url), "utf8");
  const [up = "", down = ""] = text.split("-- Down Migration");
  await database.query(part === "Up" ? up : down);
}

test("part 5: the owner of an installation from before accounts signs in with the same password", async () => {
  for (const file of ["0001_accounts", "0003_daily_salts", "0005_uptime", "0006_websites"]) await migrate(file);
  await database.query("INSERT INTO organizations (id, name) VALUES ('o', 'My organization')");
  await database.query(
    "INSERT INTO users (id, organization_id, email, password_hash, role) VALUES ('u', 'o', 'Owner@localhost', $1, 'owner')",
    [await hashPassword("the old password")],
  );
  await migrate("0012_accounts");
  own = await startOwnServer(handlers, { DATABASE_URL: databaseUrl.href });
  const answer = await openBrowser(own.baseUrl).call("/auth/sign-in", {
    email: "owner@localhost",
    password: "the old password",
  });
  expect(answer).toMatchObject({ status: 200, body: { userId: "u", organizationId: "o", role: "owner" } });
});

test("the way back keeps people, passwords and roles", async () => {
  await migrate("0012_accounts", "Down");
  const { rows } = await database.query(
    "SELECT id, organization_id, email, role, length(password_hash) AS length FROM users",
  );
  expect(rows).toEqual([{ id: "u", organization_id: "o", email: "owner@localhost", role: "owner", length: 161 }]);
});
