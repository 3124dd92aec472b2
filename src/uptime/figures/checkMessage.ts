import type { CheckInit, LatestCheckInit } from "../../gen/lookout/services.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import { rounded } from "../../text/rounded.ts";

/** A row of uptime_checks as answers show it (specification part 2). */
export function checkMessage(row: Row) {
  const ms = (column: string) => rounded(Number(row[column] ?? 0));
  const error = row["error"];
  return {
    timestamp: new Date(Number(row["started_ms"] ?? row["ts"])).toISOString(),
    scheduledAt: new Date(Number(row["ts"])).toISOString(),
    status: String(row["status"]),
    httpCode: Number(row["http_code"] ?? 0),
    ttfbMs: ms("ttfb_ms"),
    totalMs: ms("total_ms"),
    dnsMs: ms("dns_ms"),
    connectMs: ms("connect_ms"),
    tlsMs: ms("tls_ms"),
    responseBytes: Number(row["response_bytes"] ?? 0),
    sslValid: row["ssl_valid"] === 1,
    probeRegion: String(row["region"]),
    ...(typeof error === "string" && error !== "" ? { error } : {}),
  } satisfies CheckInit;
}

/** The same with the end of its certificate (specification 4.12). */
export function latestCheckMessage(row: Row) {
  const expiryMs = row["ssl_expiry_ms"];
  return {
    ...checkMessage(row),
    ...(typeof expiryMs === "number" ? { sslExpiry: new Date(expiryMs).toISOString() } : {}),
  } satisfies LatestCheckInit;
}
