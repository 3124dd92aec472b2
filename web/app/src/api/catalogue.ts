import { signal } from "@preact/signals";
import type { QueryTypeConfig } from "../../../../packages/client-js/src/gen/lookout/v1/query_pb.ts";
import type { QueryTypeName } from "../../../../packages/client-js/src/query.ts";
import { isInBrowser } from "../router/base.ts";
import { queryClient } from "./client.ts";

/** The service's catalogue of query types: what each figure means and which filters each type takes. */
const configs = signal<Readonly<Record<string, QueryTypeConfig>> | undefined>(undefined);

let isAsked = false;

/**
 * What a type or a field of its rows counts and how, in the service's words; undefined until known. The first use loads the
 * catalogue.
 */
export function definitionOf(type: QueryTypeName, field?: string): string | undefined {
  askOnce();
  const meta = configs.value?.[type]?.meta;
  return field === undefined ? meta?.description : meta?.outputFields.find(({ name }) => name === field)?.description;
}

/** The first of these fields that no filter of a type may use; undefined if there is none, and until the catalogue is known. */
export function unfilterable(type: QueryTypeName, fields: readonly string[]): string | undefined {
  if (fields.length === 0) return undefined;
  askOnce();
  const allowed = configs.value?.[type]?.allowedFilters;
  return allowed === undefined ? undefined : fields.find((field) => !allowed.includes(nameOfAll(field)));
}

/** The catalogue has one name for all properties. */
function nameOfAll(field: string): string {
  return field.startsWith("properties.") ? "properties.<key>" : field;
}

function askOnce(): void {
  if (isAsked || !isInBrowser) return;
  isAsked = true;
  // Load the figures first.
  setTimeout(() => void load(), 1_000);
}

async function load(): Promise<void> {
  try {
    configs.value = (await queryClient.listQueryTypes({ includeMeta: true })).configs;
  } catch {
    // Figures can be read without definitions; the next use retries.
    isAsked = false;
  }
}
