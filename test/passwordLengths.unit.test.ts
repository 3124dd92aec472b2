import { type DescField, getOption } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { maxPasswordLength, minPasswordLength } from "../src/accounts/authOptions.ts";
import { field as fieldRules } from "../src/gen/buf/validate/validate_pb.ts";
import {
  AcceptInvitationRequestSchema,
  ChangePasswordRequestSchema,
  ResetPasswordRequestSchema,
} from "../src/gen/lookout/v1/auth_pb.ts";
import {
  CreateSharedDashboardRequestSchema,
  UpdateSharedDashboardRequestSchema,
} from "../src/gen/lookout/v1/shared_dashboards_pb.ts";
import { shortestPassword } from "../src/sharing/changeSharedDashboard.ts";
import { texts as german } from "../web/app/src/texts/de.ts";
import { texts as english } from "../web/app/src/texts/en.ts";
import { texts as french } from "../web/app/src/texts/fr.ts";
import { passwordLengths } from "../web/app/src/ui/passwordLengths.ts";

/** The lengths that the contract allows for a text. */
function lengthsOf(field: DescField): { minLength: number; maxLength: number } {
  const { type } = getOption(field, fieldRules);
  if (type.case !== "string") throw new Error(`${field.name} is no text`);
  return { minLength: Number(type.value.minLen), maxLength: Number(type.value.maxLen) };
}

test("the lengths of people's passwords are the same in the contract, the accounts and the web app", () => {
  const lengths = { minLength: minPasswordLength, maxLength: maxPasswordLength };
  for (const field of [
    AcceptInvitationRequestSchema.field.password,
    ChangePasswordRequestSchema.field.newPassword,
    ResetPasswordRequestSchema.field.newPassword,
  ])
    expect(lengthsOf(field), field.toString()).toEqual(lengths);
  expect(passwordLengths.ofPerson).toEqual(lengths);
  for (const { resetPassword } of [english, german, french])
    expect(resetPassword.hint).toContain(` ${minPasswordLength} `);
});

test("the lengths of a shared dashboard's password are the same in the contract, its change and the web app", () => {
  const lengths = lengthsOf(CreateSharedDashboardRequestSchema.field.password);
  expect(lengths.minLength).toBe(shortestPassword);
  expect(lengths.maxLength).toBe(lengthsOf(UpdateSharedDashboardRequestSchema.field.password).maxLength);
  expect(passwordLengths.ofSharedDashboard).toEqual(lengths);
});
