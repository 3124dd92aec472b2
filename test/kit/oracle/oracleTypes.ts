import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { dataTables } from "./dataSet.ts";

/** Types of several websites; the oracle's data are of one. */
const ofWebsites: ReadonlySet<string> = new Set(["websites"]);

/** All types whose rows are figures by bucket, by group or in total, and that are limited to the requested range. */
export const oracleTypes = [...catalogue.values()].filter(
  ({ name, shape, period, table, requiredFilter }) =>
    !ofWebsites.has(name) &&
    ["summary", "series", "table"].includes(shape.kind) &&
    period === undefined &&
    requiredFilter === undefined &&
    dataTables.some((known) => known === table),
);
