import { audienceTypes } from "./audienceTypes.ts";
import { errorTypes } from "./errorTypes.ts";
import { eventTypes } from "./eventTypes.ts";
import { pageTypes } from "./pageTypes.ts";
import type { QueryType } from "./queryType.ts";
import { summaryTypes } from "./summaryTypes.ts";
import { vitalTypes } from "./vitalTypes.ts";

/** Every query type by its name. A new type is one more entry in the list of its category. */
export const catalogue: ReadonlyMap<string, QueryType> = new Map(
  [...summaryTypes, ...pageTypes, ...audienceTypes, ...eventTypes, ...vitalTypes, ...errorTypes].map((type) => [
    type.name,
    type,
  ]),
);
