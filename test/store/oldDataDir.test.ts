import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { startApiProcess } from "../kit/stack/apiProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

test("a DATA_DIR with rows in files of earlier versions is refused at the start and not changed", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-old-"));
  await mkdir(join(dataDir, "clicks", "a1b2c3"), { recursive: true });
  await writeFile(join(dataDir, "clicks", "a1b2c3", "000000000001.spool"), "rows");
  const before = await readdir(dataDir, { recursive: true });
  await expect(startApiProcess({ DATA_DIR: dataDir })).rejects.toThrow(
    /ended with 2:\nDATA_DIR .* has a directory clicks, whose rows this version cannot read/,
  );
  expect(await readdir(dataDir, { recursive: true })).toEqual(before);
  await rm(dataDir, { recursive: true });
});

test("a database with the migrations of another version is refused at the start and not changed", async () => {
  const name = `old_${randomUUID().replaceAll("-", "")}`;
  const databaseUrl = new URL(inject("lookout").databaseUrl);
  databaseUrl.pathname = `/${name}`;
  await inDatabase((all) => all.query(`CREATE DATABASE ${name}`));
  const tables = () =>
    inDatabase(async (database) => {
      const { rows } = await database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
      return rows;
    }, databaseUrl.href);
  await inDatabase(async (database) => {
    await database.query(
      "CREATE TABLE migrations (id serial PRIMARY KEY, name text NOT NULL, run_on timestamp NOT NULL)",
    );
    await database.query("INSERT INTO migrations (name, run_on) VALUES ('9999_later', now())");
  }, databaseUrl.href);
  await expect(startApiProcess({ DATABASE_URL: databaseUrl.href })).rejects.toThrow(
    /ended with 2:\nThe PostgreSQL database belongs to another version of Lookout.* migration 9999_later/,
  );
  expect(await tables()).toEqual([{ tablename: "migrations" }]);
  await inDatabase((all) => all.query(`DROP DATABASE ${name}`));
});
