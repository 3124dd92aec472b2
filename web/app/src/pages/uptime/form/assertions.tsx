import type { JsonObject } from "@bufbuild/protobuf";
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";

/** A condition on a JSON answer. The value is JSON, or a text without its quotation marks. */
export type Assertion = { readonly path: string; readonly operator: Operator; readonly value: string };

const operators = ["exists", "eq", "ne", "contains", "gt", "gte", "lt", "lte"] as const;

type Operator = (typeof operators)[number];

const mostAssertions = 20;

/** The assertions of a monitor, none of a new one. */
export function assertionsOf(monitor: Monitor | undefined): readonly Assertion[] {
  const given = monitor?.jsonParsingConfig?.["assertions"];
  if (!Array.isArray(given)) return [];
  return given.flatMap((entry) => {
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return [];
    const { path, operator = "exists", value } = entry;
    if (typeof path !== "string") return [];
    return [{ path, operator: operators.find((name) => name === operator) ?? "exists", value: shownValue(value) }];
  });
}

/** The form of the calls; nothing if nothing changes. */
export function configOf(
  assertions: readonly Assertion[],
  monitor: Monitor | undefined,
): { readonly jsonParsingConfig?: JsonObject } {
  const given = assertions.filter(({ path }) => path.trim() !== "");
  if (given.length === 0)
    return monitor?.jsonParsingConfig === undefined ? {} : { jsonParsingConfig: { enabled: false, assertions: [] } };
  return {
    jsonParsingConfig: {
      enabled: true,
      assertions: given.map(({ path, operator, value }) => ({
        path: path.trim(),
        operator,
        ...(operator === "exists" ? {} : { value: readValue(value) }),
      })),
    },
  };
}

function shownValue(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" && readValue(value) === value ? value : JSON.stringify(value);
}

/** Numbers, true, false and null are read as such; everything else is a text. */
function readValue(text: string): string | number | boolean | null {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || ["string", "number", "boolean"].includes(typeof value))
      return value as string | number | boolean | null;
  } catch {
    // It is a text without its quotation marks.
  }
  return text;
}

/** Rows of path, operator and value. */
export function Assertions({ assertions }: { readonly assertions: Signal<readonly Assertion[]> }) {
  const { fields } = allTexts().uptime;
  const id = useId();
  const change = (index: number, more: Partial<Assertion>): void => {
    assertions.value = assertions.value.map((entry, at) => (at === index ? { ...entry, ...more } : entry));
  };
  return (
    <fieldset class="choices">
      <legend>{fields.assertions}</legend>
      <p class="field-hint">{fields.assertionsHint}</p>
      {assertions.value.map(({ path, operator, value }, index) => (
        <div class="assertion" key={`${id}-${index}`}>
          <input
            class="input"
            aria-label={`${fields.path} ${index + 1}`}
            placeholder="$.status"
            value={path}
            onInput={({ currentTarget }) => change(index, { path: currentTarget.value })}
          />
          <select
            class="input"
            aria-label={`${fields.operator} ${index + 1}`}
            value={operator}
            onChange={({ currentTarget }) =>
              change(index, { operator: operators.find((name) => name === currentTarget.value) ?? "exists" })
            }
          >
            {operators.map((name) => (
              <option key={name} value={name}>
                {fields.operators[name]}
              </option>
            ))}
          </select>
          <input
            class="input"
            aria-label={`${fields.value} ${index + 1}`}
            disabled={operator === "exists"}
            value={operator === "exists" ? "" : value}
            onInput={({ currentTarget }) => change(index, { value: currentTarget.value })}
          />
          <button
            type="button"
            class="button"
            onClick={() => {
              assertions.value = assertions.value.filter((_, at) => at !== index);
            }}
          >
            {fields.remove}
            <span class="said"> {`${fields.assertion} ${index + 1}`}</span>
          </button>
        </div>
      ))}
      {assertions.value.length < mostAssertions && (
        <button
          type="button"
          class="button"
          onClick={() => {
            assertions.value = [...assertions.value, { path: "", operator: "exists", value: "" }];
          }}
        >
          {fields.addAssertion}
        </button>
      )}
    </fieldset>
  );
}
