import { expect, test } from "vitest";
import { PasswordAttempts } from "../../src/links/passwordAttempts.ts";

const nowMs = 1_800_000_000_000;

test("8.5: after five wrong passwords a visitor waits, each time twice as long up to a quarter of an hour; others do not", () => {
  const attempts = new PasswordAttempts();
  const waits = Array.from({ length: 14 }, () => {
    attempts.failed("link", "192.0.2.1", nowMs);
    return attempts.waitMs("link", "192.0.2.1", nowMs) / 1_000;
  });
  expect(waits).toEqual([0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  expect(attempts.waitMs("link", "192.0.2.2", nowMs)).toBe(0);
  expect(attempts.waitMs("other", "192.0.2.1", nowMs)).toBe(0);
  expect(attempts.waitMs("link", "192.0.2.1", nowMs + 900_000)).toBe(0);
});

test("8.5: guesses from many addresses make everybody wait, but not for long; right passwords do not count", () => {
  const attempts = new PasswordAttempts();
  for (let visitor = 0; visitor < 200; visitor += 1) {
    attempts.failed("link", `visitor ${visitor}`, nowMs);
    attempts.succeeded("link", `visitor ${visitor}`);
  }
  expect(attempts.waitMs("link", "new", nowMs)).toBe(0);
  for (let guess = 0; guess < 200; guess += 1) attempts.failed("link", `guess ${guess}`, nowMs);
  expect(attempts.waitMs("link", "new", nowMs)).toBe(60_000);
});

test("8.5: a visitor who knew the password, or made no mistake for a quarter of an hour, begins anew", () => {
  const attempts = new PasswordAttempts();
  for (let guess = 0; guess < 4; guess += 1) attempts.failed("link", "a", nowMs);
  attempts.succeeded("link", "a");
  attempts.failed("link", "a", nowMs);
  expect(attempts.waitMs("link", "a", nowMs)).toBe(0);
  for (let guess = 0; guess < 3; guess += 1) attempts.failed("link", "a", nowMs);
  attempts.failed("link", "a", nowMs + 900_001);
  expect(attempts.waitMs("link", "a", nowMs + 900_001)).toBe(0);
});
