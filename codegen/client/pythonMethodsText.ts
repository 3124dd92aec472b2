import { type DescField, type DescMessage, type DescMethod, ScalarType } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { callNoteWithIds } from "./callNote.ts";
import { pagedMethod, repeatsOf } from "./clientServices.ts";
import { timeKindOf } from "./pythonTimesText.ts";
import { fieldName } from "./requiredFields.ts";
import type { ValueSet } from "./valueSets.ts";

/** What the methods of all services are made with. */
export type MethodContext = {
  readonly kind: "" | "Async";
  readonly required: ReadonlySet<string>;
  readonly sets: readonly ValueSet[];
};

/** `CreateLink` as Python names it: `create_link`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
}

/** The Python source of the methods of a call that take the fields of its request as arguments. */
export function methodsText(method: DescMethod, context: MethodContext): string {
  const { input, output, name, methodKind } = method;
  const { kind } = context;
  const call = `self.${name}(${requestText(input)}, `;
  if (methodKind === "server_streaming") {
    const options = [
      "timeout_s: float | None = None",
      "metadata: Metadata = ()",
      "on_reconnect: OnReconnect | None = None",
    ];
    const body = `return ${call}timeout=timeout_s, metadata=metadata, on_reconnect=on_reconnect)`;
    return methodText(method, context, {
      name: snakeCase(name),
      answer: `${kind}Stream[${pythonMessage(output)}]`,
      options,
      body,
    });
  }
  const options = ["timeout_s: float | None = None", "metadata: Metadata = ()"];
  const withKey = repeatsOf(method) === "with key";
  const key = withKey ? ", idempotency_key=idempotency_key" : "";
  const passed = `timeout=timeout_s, metadata=metadata`;
  const one = methodText(method, context, {
    name: snakeCase(name),
    answer: pythonMessage(output),
    options: [...(withKey ? ["idempotency_key: str | None = None"] : []), ...options],
    body: `return ${kind === "" ? "" : "await "}${call}${passed}${key})`,
    isAwaited: kind !== "",
  });
  const paged = pagedMethod(method);
  if (paged === undefined) return one;
  const all = methodText(method, context, {
    name: snakeCase(name).replace(/^list_/, "all_"),
    answer: `${kind}Iterator[${pythonMessage(paged.items.message)}]`,
    options,
    body: `return self.${name}.all(${requestText(input, "cursor")}, ${passed})`,
    note: "Goes through all pages, and asks for each when it is needed; limit is the size of a page.",
  });
  return `${one}\n${all}`;
}

type Method = {
  readonly name: string;
  readonly answer: string;
  readonly options: readonly string[];
  readonly body: string;
  readonly isAwaited?: boolean;
  readonly note?: string;
};

function methodText(
  method: DescMethod,
  context: MethodContext,
  { name, answer, options, body, isAwaited = false, note }: Method,
): string {
  // A list that goes through all pages has no cursor of its own.
  const fields = argumentsOf(method.input).filter((field) => note === undefined || field.name !== "cursor");
  const isRequired = (field: DescField): boolean => context.required.has(fieldName(field));
  const sorted = [...fields.filter(isRequired), ...fields.filter((field) => !isRequired(field))];
  const parameters = sorted.map((field) => {
    const type = argumentType(field, context.sets);
    return isRequired(field) ? `${field.name}: ${type}` : `${field.name}: ${type} | None = None`;
  });
  const all = ["self", "*", ...parameters, ...options];
  const text = [
    commentOf(method),
    callNoteWithIds(method),
    ...(note === undefined ? [] : [note]),
    argumentsText(sorted, options),
  ].join("\n\n");
  return `    ${isAwaited ? "async " : ""}def ${name}(
${all.map((each) => `        ${each},\n`).join("")}    ) -> ${answer}:
        """${docstring(text, "        ")}
        """
        ${body}
`;
}

/** What the fields mean, with their units, as editors show it. */
function argumentsText(fields: readonly DescField[], options: readonly string[]): string {
  const notes: Readonly<Record<string, string>> = {
    timeout_s: "How long the call may take with all its tries, in seconds; a stream until its first message.",
    metadata: "Further headers.",
    idempotency_key: "Calls with the same key create one object. By default each call has its own.",
    on_reconnect:
      "Called before each new try of a stream that failed for a while, with the error and the wait in seconds.",
  };
  const ofOptions = options.map((option) => {
    const [name = ""] = option.split(":");
    return `    ${name}: ${notes[name] ?? ""}`;
  });
  const ofFields = fields.map((field) => `    ${field.name}: ${commentOf(field).replaceAll(/\s*\n\s*/g, " ")}`);
  return `Args:\n${[...ofFields, ...ofOptions].join("\n")}\n\nRaises:\n    LookoutError: The call failed. Wrong arguments are a TypeError or a ValueError.`;
}

/** An idempotency key is an option of the call, which makes one where the caller has none. */
function argumentsOf({ fields }: DescMessage): readonly DescField[] {
  return fields.filter(({ name }) => name !== "idempotency_key");
}

function requestText(input: DescMessage, left = ""): string {
  const names = argumentsOf(input).filter(({ name }) => name !== left);
  const pairs = names.map(({ name }) => `"${name}": ${name}`);
  return `_request(${pythonMessage(input)}, {${pairs.join(", ")}})`;
}

/** The type of a message in Python. */
export function pythonMessage({ file, name }: DescMessage): string {
  return `${file.name.replace(/^.*\//, "")}_pb2.${name}`;
}

function argumentType(field: DescField, sets: readonly ValueSet[]): string {
  if (field.fieldKind === "map") return `Mapping[str, ${scalarType(field.scalar)}]`;
  const one = field.message === undefined ? textType(field, sets) : messageType(field.message);
  return field.fieldKind === "list" ? `Sequence[${one}]` : one;
}

function messageType(message: DescMessage): string {
  if (message.typeName === "google.protobuf.Struct") return "Mapping[str, Any]";
  if (message.typeName === "google.protobuf.Value") return "Any";
  return `${pythonMessage(message)} | Mapping[str, Any]`;
}

function textType(field: DescField, sets: readonly ValueSet[]): string {
  const set = sets.find(({ fields }) => fields.includes(fieldName(field)));
  if (set !== undefined) return `values.${set.name}`;
  const kind = timeKindOf(field);
  if (kind === "instant") return "datetime | str";
  // A datetime is a date for type checkers, so that they do not report one where only a day is taken.
  if (kind === "day" || kind === "day or instant") return "date | str";
  return kind === "milliseconds" ? "datetime | float" : scalarType(field.scalar);
}

function scalarType(scalar: ScalarType | undefined): string {
  if (scalar === undefined || scalar === ScalarType.STRING) return "str";
  if (scalar === ScalarType.BOOL) return "bool";
  if (scalar === ScalarType.BYTES) return "bytes";
  return scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT ? "float" : "int";
}

/** A text within three quotes, the lines after the first one indented. */
export function docstring(text: string, indent: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll('"""', "'''")
    .replaceAll(/\n(?!\n)/g, `\n${indent}`);
}
