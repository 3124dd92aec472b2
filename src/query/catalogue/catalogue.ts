import { audienceTypes } from "./audienceTypes.ts";
import { engagementTypes } from "./engagementTypes.ts";
import { errorTypes } from "./errorTypes.ts";
import { eventTypes } from "./eventTypes.ts";
import { excludedTypes } from "./excludedTypes.ts";
import { goalTypes } from "./goalTypes.ts";
import { linkTypes } from "./linkTypes.ts";
import { llmTypes } from "./llmTypes.ts";
import { pageTypes } from "./pageTypes.ts";
import { performanceTypes } from "./performanceTypes.ts";
import { propertyTypes } from "./propertyTypes.ts";
import type { QueryType } from "./queryType.ts";
import { realtimeTypes } from "./realtimeTypes.ts";
import { sessionTypes } from "./sessionTypes.ts";
import { summaryTypes } from "./summaryTypes.ts";
import { uptimeTypes } from "./uptimeTypes.ts";
import { vitalTypes } from "./vitalTypes.ts";
import { websiteTypes } from "./websiteTypes.ts";

/** Every query type by its name. A new type is one more entry in the list of its category. */
export const catalogue: ReadonlyMap<string, QueryType> = new Map(
  [
    ...summaryTypes,
    ...websiteTypes,
    ...pageTypes,
    ...sessionTypes,
    ...engagementTypes,
    ...audienceTypes,
    ...goalTypes,
    ...eventTypes,
    ...propertyTypes,
    ...linkTypes,
    ...vitalTypes,
    ...errorTypes,
    ...performanceTypes,
    ...llmTypes,
    ...realtimeTypes,
    ...uptimeTypes,
    ...excludedTypes,
  ].map((type) => [type.name, type]),
);
