import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Filter } from "../../../../../../packages/client-js/src/query.ts";
import { useAnswer } from "../../../api/useAnswer.ts";
import { t } from "../../../texts/texts.ts";
import { valueName } from "../../../texts/valueName.ts";
import { useDashboard } from "../context.ts";
import type { KnownValue } from "./matchingValues.ts";
import { type ValueSource, valueOfRow } from "./valueSource.ts";

const mostValues = 100;
const waitMs = 200;

/**
 * The values of a source in the range, the most frequent first: all that fit, and those that the service finds for a text. `others` are the filters
 * that stay, so that the values are those of what is on screen.
 */
export function useKnownValues(
  source: ValueSource | undefined,
  text: string,
  others: readonly Filter[],
): { readonly values: readonly KnownValue[]; readonly isLoading: boolean } {
  const { scope } = useDashboard();
  const wanted = useLater(text.trim());
  const { type = "top_pages", field = "path", within, isNamed } = source ?? {};
  const base = { ...scope, limit: mostValues, parameters: [type] } as const;
  const filters = within === undefined ? others : [...others, within];
  const first = useAnswer({ ...base, filters }, { isWanted: source !== undefined });
  // Names of countries and the like are only known here.
  const isSearched = source !== undefined && isNamed !== true && wanted !== "";
  const search = { field, op: "contains", value: wanted } as const;
  const found = useAnswer({ ...base, filters: [...filters, search] }, { isWanted: isSearched });
  const rows = [...(isSearched ? (found.rows ?? []) : []), ...(first.rows ?? [])];
  const texts = t();
  return {
    values: rows.map((row) => {
      const value = valueOfRow(row);
      return { value, name: valueName(field, value, texts) };
    }),
    isLoading: source !== undefined && (first.isLoading || (isSearched && found.isLoading)),
  };
}

/** A text once it has stayed the same for a moment, so that not each letter is asked for. */
function useLater(text: string): string {
  const later = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      later.value = text;
    }, waitMs);
    return () => clearTimeout(timer);
  }, [text, later]);
  return later.value;
}
