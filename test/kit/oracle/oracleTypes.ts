import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { dataTables } from "./dataSet.ts";

/** All types whose rows are figures by bucket, by group or in total, and that are limited to the requested range. */
export const oracleTypes = [...catalogue.values()].filter(
  ({ shape, period, table, requiredFilter }) =>
    ["summary", "series", "table"].includes(shape.kind) &&
    period === undefined &&
    requiredFilter === undefined &&
    dataTables.some((known) => known === table),
);
