import { type ErrorCode, statusOfCode } from "../../src/errors/errors.ts";
import { quoted, table } from "./markdown.ts";

/** What each code means. The clients' constants say the same. */
const meanings: Readonly<Record<ErrorCode, string>> = {
  AUTH_REQUIRED: "The call needs an API key or a session, or the session has ended.",
  INVALID_API_KEY: "The key is unknown, revoked or has expired.",
  ACCESS_DENIED:
    "The key lacks a scope, the person a role, or neither may see what a query asks about, which may also not exist. The message names the scope.",
  VALIDATION_ERROR: "Fields are wrong: `details` names each.",
  MISSING_PARAMETER: "The request lacks something.",
  MISSING_PROJECT_ID: "A query names no website, monitor, link or organization to ask about.",
  MISSING_WEBSITE_ID: "The request names no website.",
  NOT_FOUND: "The object does not exist, or belongs to another organization.",
  UNAUTHORIZED: "A password, or a sign-in, is missing or wrong.",
  FORBIDDEN: "A call with a session's cookie that another site's page may have sent, or a tool of MCP that is off.",
  CONFLICT:
    "The call does not fit to what there is, such as a name that is taken. With `Retry-After`, the first call with the same idempotency key is under way.",
  RATE_LIMIT_EXCEEDED: "There were too many calls. `Retry-After` says when the next one may succeed.",
  QUERY_ERROR: "A query, or one parameter of it, could not be answered, such as for too much data.",
  COMPILATION_ERROR: "A query could not be compiled, such as for a filter that a query type does not have.",
  UNKNOWN_QUERY_TYPE: "There is no such query type.",
  INVALID_DATE_PRESET: "There is no such preset.",
  INTERNAL_SERVER_ERROR: "The service has failed. The request's id names the request in its log.",
  NOT_IMPLEMENTED: "This version of the service does not have the call.",
  SERVICE_UNAVAILABLE: "The service, or a store that it needs, cannot answer now. Try again later.",
};

/** The codes of errors with their usual HTTP statuses. */
export function errorsTable(): string {
  const rows = Object.entries(statusOfCode).map(([code, status]) => [
    quoted(code),
    String(status),
    meanings[code as ErrorCode],
  ]);
  return table(["code", "HTTP status", "meaning"], rows);
}
