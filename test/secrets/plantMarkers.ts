import { randomBytes } from "node:crypto";
import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { services } from "../../src/gen/lookout/services.ts";

/** Texts that may be found nowhere, by the field that they were sent in. */
export class Markers {
  readonly #texts = new Map<string, string>();

  /** A new text for a field, such as lookout.v1.CreateMonitorRequest.url. */
  plant(field: string): string {
    const text = `mk${randomBytes(12).toString("hex")}`;
    this.#texts.set(text, field);
    return text;
  }

  /** A secret that the service made. */
  add(field: string, text: string): void {
    this.#texts.set(text, field);
  }

  get texts(): readonly string[] {
    return [...this.#texts.keys()];
  }

  /** The fields whose texts are in a text, also in one that shows bytes as hexadecimal digits. */
  fieldsIn(text: string): string[] {
    const found = [...this.#texts].filter(
      ([marker]) => text.includes(marker) || text.includes(Buffer.from(marker).toString("hex")),
    );
    return found.map(([, field]) => field);
  }
}

/** A call of the contract with a marker in each of its secret fields, in the JSON of Connect. */
export type MarkedCall = { readonly path: string; readonly body: Record<string, unknown> };

/**
 * A call of each RPC that takes secrets. Fields without a marker are left out, so most are refused: what is refused must
 * leave no trace either. Calls that answer with a stream are asked for by their address instead.
 */
export function markedCalls(markers: Markers): MarkedCall[] {
  return services.flatMap(({ typeName, methods }) =>
    methods
      .filter((method) => method.methodKind === "unary" && hasSecrets(method))
      .map((method) => ({
        path: `/${typeName}/${method.name}`,
        body: Object.fromEntries(
          method.input.fields.filter(isSecret).map((field) => [field.jsonName, marked(field, method.input, markers)]),
        ),
      })),
  );
}

/** The names of the secret fields of requests. */
export function secretRequestFields(): string[] {
  return services.flatMap(({ methods }) =>
    methods.flatMap(({ input }) => input.fields.filter(isSecret).map(({ name }) => `${input.typeName}.${name}`)),
  );
}

function hasSecrets({ input }: DescMethod): boolean {
  return input.fields.some(isSecret);
}

function isSecret({ proto }: DescField): boolean {
  return proto.options?.debugRedact === true;
}

function marked(field: DescField, message: DescMessage, markers: Markers): unknown {
  const text = markers.plant(`${message.typeName}.${field.name}`);
  if (field.fieldKind === "map") return { Authorization: text };
  return field.name.endsWith("url") ? `https://shop.invalid/?token=${text}` : text;
}
