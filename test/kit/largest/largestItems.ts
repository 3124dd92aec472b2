import { randomUUID } from "node:crypto";

/** A valid item of about `chars` characters, the `index`th of its list. */
type MakeItem = (chars: number, index: number) => object;

/** Even 100 items with this many members stay below the limit of one body (src/gateway/json/jsonNodes.ts). */
const mostProperties = 370;

/** Properties of distinct names: parsing these costs most. */
function properties(chars: number, index: number): object {
  const value = "v".repeat(Math.max(1, Math.floor(chars / mostProperties) - 16));
  return Object.fromEntries(
    Array.from({ length: Math.min(mostProperties, Math.floor(chars / 17)) }, (_, key) => [`p${index}_${key}`, value]),
  );
}

const who = (index: number) => ({
  eventId: randomUUID(),
  anonymousId: `visitor ${index} `.padEnd(256, "a"),
  sessionId: `session ${index} `.padEnd(256, "s"),
  timestamp: Date.now() - index,
});
const whoChars = 650;
const path = (index: number) => `https://www.example.com/${index}/`.padEnd(2_000, "p");

/** The largest valid items of each list whose items are validated one by one: long texts, and as many properties as fit. */
export const largestItems: Readonly<Record<string, MakeItem>> = {
  "lookout.v1.IngestService.Batch": (chars, index) => ({
    type: "track",
    payload: {
      ...who(index),
      name: "screen_view",
      sessionStartTime: Date.now() - 1_000,
      path: path(index),
      title: "t".repeat(500),
      referrer: `https://search.example/${"r".repeat(500)}`,
      screen_resolution: "1920x1080",
      viewport_size: "1280x720",
      timezone: "Europe/Berlin",
      language: "de-DE",
      properties: properties(chars - whoChars - 3_500, index),
    },
  }),
  "lookout.v1.IngestService.Track": (chars, index) => ({
    ...who(index),
    name: `event ${index % 7}`,
    properties: properties(chars - whoChars - 100, index),
  }),
  "lookout.v1.ClientService.RecordEvents": (chars, index) => ({
    ...who(index),
    eventName: `event ${index % 7}`,
    path: path(index),
    properties: properties(chars - whoChars - 2_200, index),
  }),
  "lookout.v1.ClientService.RecordEngagement": (chars, index) => ({
    ...who(index),
    path: path(index),
    timeOnPage: 1_000,
    scrollDepth: 50,
    unknown: "u".repeat(Math.max(0, chars - whoChars - 2_300)),
  }),
  "lookout.v1.VitalService.RecordVitals": (chars, index) => ({
    ...who(index),
    path: path(index),
    metricName: "LCP",
    metricValue: 1_200,
    unknown: "u".repeat(Math.max(0, chars - whoChars - 2_300)),
  }),
  "lookout.v1.ScriptErrorService.RecordScriptErrors": (chars, index) => ({
    ...who(index),
    path: path(index),
    message: `TypeError: https://a.example/x?y=${index} `.padEnd(1_500, "m "),
    stack: "at f (https://a.example/app.js?v=1:2:3)\n".repeat(Math.max(1, Math.floor((chars - whoChars - 4_000) / 41))),
  }),
  "lookout.v1.LlmCallService.RecordLlmCalls": (chars, index) => ({
    eventId: randomUUID(),
    timestamp: Date.now() - index,
    provider: "openai",
    model: "gpt-4o",
    usage: { inputTokens: 1_000, outputTokens: 100 },
    error: {
      name: "TimeoutError",
      message: "m".repeat(1_000),
      stack: "at f\n".repeat(Math.floor(Math.max(0, chars - 1_500) / 6)),
    },
  }),
};
