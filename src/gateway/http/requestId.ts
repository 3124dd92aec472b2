import { randomBytes } from "node:crypto";

/** Identifies the process; counting within it is cheaper than randomness for each request. */
const process = randomBytes(6).toString("hex");
let count = 0;

/** A new request identifier, unique among all processes. */
export function createRequestId(): string {
  count += 1;
  return `req_${process}${count.toString(36)}`;
}
