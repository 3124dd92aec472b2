import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { LookoutError } from "./lookoutError.ts";

/** An error of the service with the fields of a request as the caller writes them: `clickLimit`, not `click_limit`. */
export function withCallersNames(error: LookoutError, { input }: DescMethod): LookoutError {
  if (!error.details.some(({ field }) => callersName(input, field) !== field)) return error;
  const { code, message, requestId, retryAfterMs, status, cause } = error;
  const details = error.details.map((detail) => ({ ...detail, field: callersName(input, detail.field) }));
  return new LookoutError(code, message, { details, requestId, retryAfterMs, status, cause });
}

/** A path of names of the contract in those of TypeScript. From a name on that the contract does not have, such as that of a property, it stays. */
export function callersName(message: DescMessage, path: string): string {
  const [, name = "", index = "", rest = ""] = /^([^.[]*)((?:\[[^\]]*\])*)\.?(.*)$/s.exec(path) ?? [];
  const field = message.fields.find((each) => each.name === name || each.localName === name);
  if (field === undefined) return path;
  const end = rest === "" || field.message === undefined ? rest : callersName(field.message, rest);
  return `${field.localName}${index}${end === "" ? "" : `.${end}`}`;
}
