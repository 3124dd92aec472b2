import type { DescMessage } from "@bufbuild/protobuf";
import { LookoutError } from "./lookoutError.ts";

/**
 * An error of the service with the fields of a request as the caller writes them: `clickLimit`, not `click_limit`. `unnamed` is a member of
 * the request whose own members callers write without its name.
 */
export function withCallersNames(error: LookoutError, input: DescMessage, unnamed?: string): LookoutError {
  const inner = input.fields.find(({ localName }) => localName === unnamed)?.message;
  const nameOf = (path: string) =>
    inner === undefined || unnamed === undefined ? callersName(input, path) : innerName(input, inner, unnamed, path);
  if (!error.details.some(({ field }) => nameOf(field) !== field)) return error;
  const { code, message, requestId, retryAfterMs, status, cause } = error;
  const details = error.details.map((detail) => ({ ...detail, field: nameOf(detail.field) }));
  return new LookoutError(code, message, { details, requestId, retryAfterMs, status, cause });
}

/** A path within the member without a name, with or without that name, or else one of the request itself. */
function innerName(input: DescMessage, inner: DescMessage, unnamed: string, path: string): string {
  const within = callersName(inner, path.startsWith(`${unnamed}.`) ? path.slice(unnamed.length + 1) : path);
  return within === path ? callersName(input, path) : within;
}

/** A path of names of the contract in those of TypeScript. From a name on that the contract does not have, such as that of a property, it stays. */
export function callersName(message: DescMessage, path: string): string {
  const [, name = "", index = "", rest = ""] = /^([^.[]*)((?:\[[^\]]*\])*)\.?(.*)$/s.exec(path) ?? [];
  const field = message.fields.find((each) => each.name === name || each.localName === name);
  if (field === undefined) return path;
  const end = rest === "" || field.message === undefined ? rest : callersName(field.message, rest);
  return `${field.localName}${index}${end === "" ? "" : `.${end}`}`;
}
