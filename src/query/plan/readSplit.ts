import { detail, type Problems, quoted } from "../../errors/problems.ts";
import { nearest } from "../../text/nearest.ts";
import { type Field, filterNames, findField } from "../sql/fields.ts";

/** The field to split an answer by, `where` in the request; undefined without one. One that is unknown or not accepted is reported. */
export function readSplit(
  name: string,
  where: string,
  problems: Problems,
  isAccepted: (field: Field) => boolean = () => true,
): Field | undefined {
  if (name === "") return undefined;
  const accepted = (known: string) => {
    const field = findField("events", known);
    return field !== undefined && isAccepted(field) ? field : undefined;
  };
  const field = accepted(name);
  if (field !== undefined) return field;
  const names = filterNames("events").filter(accepted);
  return problems.add(detail(where, `must be one of ${names.join(", ")}, not ${quoted(name)}`, nearest(name, names)));
}
