import type { DescFile } from "@bufbuild/protobuf";
import { alwaysSet } from "./alwaysSet.ts";
import { clientServices, serviceWords } from "./clientServices.ts";
import { requiredFields } from "./requiredFields.ts";
import { rowColumns } from "./testingText.ts";
import { valueSets } from "./valueSets.ts";

/**
 * What the test doubles of Java and Python check messages with, as JSON: the calls by the name that the language has for them, the columns of
 * query types, the values of restricted fields, the fields that requests need and the members that answers always have.
 */
export function testContractText(
  files: readonly DescFile[],
  nameOfCall: (service: readonly string[], call: string) => string,
): string {
  const calls = clientServices(files).flatMap((service) =>
    service.methods.map((method) => [
      nameOfCall(serviceWords(service), method.localName),
      {
        method: `${service.typeName}/${method.name}`,
        answer: method.output.typeName,
        streams: method.methodKind === "server_streaming",
      },
    ]),
  );
  const values = valueSets().flatMap(({ fields, values }) => fields.map((field) => [field, values]));
  return `${JSON.stringify({
    calls: Object.fromEntries(calls),
    rows: rowColumns(),
    values: Object.fromEntries(values),
    required: [...requiredFields()],
    always: alwaysSet,
  })}\n`;
}
