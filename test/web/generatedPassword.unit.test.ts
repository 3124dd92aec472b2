import { expect, test } from "vitest";
import { passwordQuestion } from "../../web/app/src/api/generatedPassword.ts";

test.each([
  ["localhost", "after sign-in"],
  ["stats.localhost", "after sign-in"],
  ["127.0.0.1", "after sign-in"],
  ["127.8.9.10", "after sign-in"],
  ["[::1]", "after sign-in"],
  ["192.168.1.5", "before every page"],
  ["stats.example.com", "before every page"],
  ["127.0.0.1.example.com", "before every page"],
  ["localhost.example.com", "before every page"],
  ["1127.0.0.1", "before every page"],
  ["", "before every page"],
] as const)("at %s a generated password is asked for %s", (host, question) => {
  expect(passwordQuestion(true, host)).toBe(question);
  expect(passwordQuestion(false, host)).toBe("never");
});
