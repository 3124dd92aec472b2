import { ScalarType } from "@bufbuild/protobuf";
import { services } from "../../src/gen/lookout/services.ts";
import { reached } from "../contract.ts";
import { fieldName } from "./requiredFields.ts";

/** Requests whose dates are days (YYYY-MM-DD): which day a time is on depends on its zone. */
const ofDays: readonly string[] = ["CreateExportRequest", "DeleteDataRequest", "PreviewDeletionRequest"];

const nameOfTime = /_at$|(?:^|_)date(?:_|$)|^(?:from|to)$/;

/** Texts of requests that hold a time, for languages whose clients take a time of their own there. Fields are `<message>.<name in the proto>`. */
export const timeFields: readonly string[] = [
  ...reached(services.flatMap(({ methods }) => methods.map(({ input }) => input))),
].flatMap(({ name, fields }) =>
  ofDays.includes(name)
    ? []
    : fields.filter((field) => field.scalar === ScalarType.STRING && nameOfTime.test(field.name)).map(fieldName),
);
