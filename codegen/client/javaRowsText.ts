import { absenceNote, capitalised, type FieldKind, type RowField, type RowType, rowTypes } from "./rowTypes.ts";

const header = "// Code generated from the catalogue of query types. Do not edit.\n";

/** The Java sources of all query types by path: a record for the rows of each, and the class `QueryTypes`. */
export function javaRowsFiles(): Record<string, string> {
  const types = rowTypes();
  const records = types.map((type) => [`dev/lookout/rows/${type.name}.java`, recordText(type)]);
  return { ...Object.fromEntries(records), "dev/lookout/QueryTypes.java": queryTypesText(types) };
}

function recordText({ query, name, description, fields }: RowType): string {
  const buckets = fields.filter(({ isBucket }) => isBucket);
  const used = (kind: FieldKind, type: string) =>
    fields.some((field) => field.kind === kind) ? [`import ${type};\n`] : [];
  const imports = [
    ...(fields.some((field) => readerOf(field) === "revenue") ? ["import dev.lookout.Revenue;\n"] : []),
    ...used("time", "java.time.Instant"),
    ...(buckets.length > 0 ? ["import java.time.LocalDate;\n", "import java.time.OffsetDateTime;\n"] : []),
    ...used("array", "java.util.List"),
    ...used("object", "java.util.Map"),
  ].join("");
  const notes = fields.map(
    (field) => ` * @param ${memberOf(field)} ${javadoc(field.note)}${absenceNote(field, "Null")}\n`,
  );
  const members = fields.map((field) => `    ${javaTypes[readerOf(field)]} ${memberOf(field)}`);
  return `${header}package dev.lookout.rows;

${imports}${imports === "" ? "" : "\n"}/**
 * A row of {@code ${query}}. ${javadoc(description)}
 *
${notes.join("")} */
public record ${name}(
${members.join(",\n")}) {${buckets.map(bucketText).join("")}}
`;
}

/** A text, which may be a day or an hour, as either of them. */
function bucketText(field: RowField): string {
  const member = memberOf(field);
  return `
  /** The day of {@link #${member}}, or the first one of its week or month. */
  public LocalDate day() {
    return LocalDate.parse(${member}.substring(0, 10));
  }

  /** The start of the hour in {@link #${member}}, with the zone's offset. Null where that is a day. */
  public OffsetDateTime hour() {
    return ${member}.length() > 10 ? OffsetDateTime.parse(${member}) : null;
  }
`;
}

function queryTypesText(types: readonly RowType[]): string {
  return `${header}package dev.lookout;

import dev.lookout.rows.*;

/**
 * Every query type with the type of its rows. A query asks {@link QueryType#parameter}, and {@link QueryType#rows} finds the rows in
 * its answer.
 */
public final class QueryTypes {
  private QueryTypes() {}

${types.map(constantText).join("\n")}}
`;
}

function constantText({ query, name, description, fields }: RowType): string {
  const values = fields.map((field) => `                  row.${readerOf(field)}("${field.name}")`);
  return `  /** ${javadoc(description)} */
  public static final QueryType<${name}> ${query.toUpperCase()} =
      new QueryType<>(
          "${query}",
          row ->
              new ${name}(
${values.join(",\n")}));
`;
}

/** `avg_time_on_page` as `avgTimeOnPage`. */
function memberOf({ name }: RowField): string {
  const capital = capitalised(name);
  return `${capital.charAt(0).toLowerCase()}${capital.slice(1)}`;
}

/** Text as Javadoc shows it. */
export function javadoc(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", "&#64;")
    .replaceAll("*/", "*&#47;");
}

/** What each method of packages/java/src/dev/lookout/Fields.java returns. */
const javaTypes = {
  text: "String",
  textOrNull: "String",
  time: "Instant",
  timeOrNull: "Instant",
  count: "long",
  countOrNull: "Long",
  number: "double",
  numberOrNull: "Double",
  isTrue: "boolean",
  isTrueOrNull: "Boolean",
  object: "Map<String, Object>",
  array: "List<Object>",
  revenue: "List<Revenue>",
} as const;

const readers = {
  text: "text",
  time: "time",
  count: "count",
  number: "number",
  boolean: "isTrue",
  object: "object",
  array: "array",
  nothing: "text",
} as const satisfies Record<FieldKind, keyof typeof javaTypes>;

/** The method of `Fields` that reads a field. Objects and arrays are null by themselves. */
function readerOf({ name, kind, mayBeNull, isOfGoal }: RowField): keyof typeof javaTypes {
  if (name === "revenue" && kind === "array") return "revenue";
  const reader = readers[kind];
  if (!(mayBeNull || isOfGoal) || reader === "object" || reader === "array") return reader;
  return `${reader}OrNull`;
}
