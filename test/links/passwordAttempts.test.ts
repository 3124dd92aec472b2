import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import {
  type Failures,
  failedAgain,
  linkGuessLimit,
  PasswordAttempts,
  visitorGuessLimit,
} from "../../src/access/passwordAttempts.ts";

const nowMs = 1_800_000_000_000;
const none: Failures = { count: 0, lastMs: 0, untilMs: 0 };

const postgres = new pg.Pool({ connectionString: inject("lookout").databaseUrl, max: 4 });
afterAll(() => postgres.end());

/** Two processes that count together. */
const [one, two] = [new PasswordAttempts(postgres), new PasswordAttempts(postgres)];

test("8.5: after five wrong passwords a visitor waits, each time twice as long up to 15 minutes", () => {
  let failures = none;
  const waits = Array.from({ length: 14 }, () => {
    failures = failedAgain(failures, visitorGuessLimit, nowMs);
    return (failures.untilMs - nowMs) / 1_000;
  });
  expect(waits).toEqual([0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  expect(failedAgain(failures, visitorGuessLimit, nowMs + 900_001)).toEqual(
    failedAgain(none, visitorGuessLimit, nowMs + 900_001),
  );
  expect(failedAgain({ ...none, count: 200, lastMs: nowMs }, linkGuessLimit, nowMs).untilMs).toBe(nowMs + 60_000);
});

test("8.5: concurrent attempts in two processes are counted together; other visitors and other links do not wait", async () => {
  const link = randomUUID();
  const attempts = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).take(link, "a", nowMs)),
  );
  expect(attempts.filter((attempt) => "succeeded" in attempt)).toHaveLength(5);
  expect(attempts.filter((attempt) => "waitMs" in attempt)).toEqual(Array(15).fill({ waitMs: 5_000 }));
  expect(await two.take(link, "b", nowMs)).toHaveProperty("succeeded");
  expect(await two.take(randomUUID(), "a", nowMs)).toHaveProperty("succeeded");
  expect(await one.take(link, "a", nowMs + 5_000)).toHaveProperty("succeeded");
  expect(await two.take(link, "a", nowMs + 5_000)).toEqual({ waitMs: 10_000 });
});

test("8.5: guesses from many addresses make all visitors of the link wait, but not for long; right passwords do not count", async () => {
  const link = randomUUID();
  for (let visitor = 0; visitor < 60; visitor += 1) {
    const attempt = await one.take(link, `visitor ${visitor}`, nowMs);
    if ("succeeded" in attempt) await attempt.succeeded();
  }
  for (let guess = 0; guess < 50; guess += 1)
    expect(await one.take(link, `guess ${guess}`, nowMs)).toHaveProperty("succeeded");
  expect(await two.take(link, "new", nowMs)).toEqual({ waitMs: 5_000 });
});

test("8.5: the right password resets a visitor's count, and old counts are deleted", async () => {
  const link = randomUUID();
  for (let guess = 0; guess < 4; guess += 1) await one.take(link, "a", nowMs);
  const right = await two.take(link, "a", nowMs);
  if ("succeeded" in right) await right.succeeded();
  for (let guess = 0; guess < 5; guess += 1) expect(await one.take(link, "a", nowMs)).toHaveProperty("succeeded");
  expect(await one.take(link, "a", nowMs)).toHaveProperty("waitMs");
  await new PasswordAttempts(postgres).take(randomUUID(), "a", nowMs + 900_001);
  const { rows } = await postgres.query("SELECT 1 FROM link_password_failures WHERE subject LIKE $1", [`${link}%`]);
  expect(rows).toEqual([]);
});
