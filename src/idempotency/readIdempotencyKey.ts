import { type ErrorDetail, validationError } from "../errors/errors.ts";

/** The field that a request message has if its call takes a key. */
const field = "idempotencyKey";
const header = "Idempotency-Key";

/**
 * The idempotency key of a call, from its header or the field of its message; undefined without one. The header may be a
 * string in quotation marks, as the draft of its standard has it (draft-ietf-httpapi-idempotency-key-header, section 2.1), or
 * plain text.
 *
 * Throws VALIDATION_ERROR for a header that is no key, and for a header and a field that differ.
 */
export function readIdempotencyKey(fromHeader: string | undefined, fromField: string | undefined): string | undefined {
  if (fromHeader === undefined) return fromField;
  const key = unquoted(fromHeader.trim());
  if (!/^[ -~]{1,255}$/.test(key))
    throw wrongKey({ field: header, message: "must hold 1 to 255 printable ASCII characters" });
  if (fromField !== undefined && fromField !== key)
    throw wrongKey({ field, message: `differs from the header ${header}. Send one of them, or the same in both` });
  return key;
}

function wrongKey(detail: ErrorDetail) {
  return validationError([detail]);
}

/** The text of a string of structured fields (RFC 9651, section 3.3.3); other text as it is. */
function unquoted(text: string): string {
  return /^"(?:[^"\\]|\\["\\])*"$/.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, "$1") : text;
}
