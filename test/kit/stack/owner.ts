import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../src/config.ts";

/** The key and the website that a new stack has. */
export type Owner = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly organizationId: string;
  readonly websiteId: string;
};

/** The owner of a stack whose API runs. */
export async function ownerOf({ server, stack }: Config): Promise<Owner> {
  const credentials: Omit<Owner, "baseUrl"> = JSON.parse(
    await readFile(join(stack.dataDir, "credentials.json"), "utf8"),
  );
  return { ...credentials, baseUrl: server.baseUrl };
}

/** Calls the API as the owner. The type parameter is not checked; rejects with the answer if it is no success. */
export async function postJson<T>(
  { baseUrl, apiKey }: Owner,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
