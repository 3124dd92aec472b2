import type { DescField } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { type JsonSchema, ruleKeywords } from "../openapi/openapiRules.ts";

/** The limits of a field of a request as sentences, such as "At most 100 characters." Lists of values are types, so they are not repeated. */
export function limitsText(field: DescField): string {
  const { own, items } = ruleKeywords(field);
  const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
  const unit = field.scalar === ScalarType.BYTES ? "byte" : "character";
  const each = isText ? textLimits(items, unit) : numberLimits(items);
  const isMany = field.fieldKind === "list" || field.fieldKind === "map";
  const whole = isMany ? sizeLimits(own, field.fieldKind) : isText ? textLimits(own, unit) : numberLimits(own);
  return [...whole, ...each.map((text) => `Each: ${text}`)].map((text) => `${capital(text)}.`).join(" ");
}

function textLimits(schema: JsonSchema, unit: string): readonly string[] {
  const range = rangeText(schema["minLength"], schema["maxLength"], unit);
  const pattern = schema["pattern"];
  const { format } = schema;
  return [
    ...range,
    ...(format === "uuid" ? ["a UUID"] : []),
    ...(typeof pattern === "string" ? [`matches \`${pattern}\``] : []),
  ];
}

function sizeLimits(schema: JsonSchema, kind: DescField["fieldKind"]): readonly string[] {
  const range =
    kind === "map"
      ? rangeText(schema["minProperties"], schema["maxProperties"], "member")
      : rangeText(schema["minItems"], schema["maxItems"], "item");
  return [...range, ...(schema["uniqueItems"] === true ? ["none twice"] : [])];
}

function numberLimits(schema: JsonSchema): readonly string[] {
  return [
    ...bound("more than", schema["exclusiveMinimum"]),
    ...bound("at least", schema["minimum"]),
    ...bound("less than", schema["exclusiveMaximum"]),
    ...bound("at most", schema["maximum"]),
  ];
}

function bound(words: string, value: unknown): readonly string[] {
  return typeof value === "number" && Number.isFinite(value) ? [`${words} ${written(value)}`] : [];
}

function rangeText(min: unknown, max: unknown, unit: string): readonly string[] {
  const least = typeof min === "number" && min > 0 ? min : undefined;
  const most = typeof max === "number" ? max : undefined;
  if (least !== undefined && least === most) return [counted(least, unit)];
  if (least !== undefined && most !== undefined) return [`${written(least)} to ${counted(most, unit)}`];
  if (most !== undefined) return [`at most ${counted(most, unit)}`];
  return least === undefined ? [] : [`at least ${counted(least, unit)}`];
}

function counted(count: number, unit: string): string {
  return `${written(count)} ${unit}${count === 1 ? "" : "s"}`;
}

function written(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 20 });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
