import type { Contract } from "./contract.ts";
export function openapi(_contract: Contract): object {
  return { openapi: "3.1.0" };
}
