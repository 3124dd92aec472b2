import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  Monitor,
  UpdateMonitorRequest,
  UpdateMonitorRequestSchema,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { ClearedMonitorField } from "../../../../../../packages/client-js/src/valueSets.ts";
import { chosen } from "../../../api/chosen.ts";
import { type Assertion, configOf } from "./assertions.tsx";
import type { Step } from "./escalation.tsx";
import { headersOf, wordsOf } from "./readFields.ts";

/** What the form leaves out of a request where it stays as it is. */
type LeftOut = "name" | "url" | "body" | "jsonParsingConfig" | "clear";

/** The status is changed by calls of its own. */
type NotAsked = "$typeName" | "$unknown" | "id" | "status";

type Init = MessageInitShape<typeof UpdateMonitorRequestSchema>;

/**
 * What the form gives; it suits both the call that creates and the one that changes, which alone knows `clear`. An
 * option of the contract that the form does not give does not compile.
 */
export type MonitorFields = Readonly<
  Required<Omit<UpdateMonitorRequest, LeftOut | NotAsked | "escalation">> & Pick<Init, LeftOut>
> & { readonly escalation: NonNullable<Init["escalation"]> };

type Given = {
  /** The monitor that is changed; undefined for a new one. */
  readonly monitor: Monitor | undefined;
  readonly steps: readonly Step[];
  readonly assertions: readonly Assertion[];
};

/** The options of a monitor from the values of the form's fields, by their names. */
export function optionsOf(value: (name: string) => string, { monitor, steps, assertions }: Given): MonitorFields {
  const isChanged = (name: string, before: unknown): boolean => monitor === undefined || value(name) !== String(before);
  const body = value("body");
  const headers = headersOf(value("headers"));
  const escalation = steps
    .filter(({ channelIds }) => channelIds.length > 0)
    .map(({ channelIds, afterMinutes }) => ({ channelIds: [...channelIds], afterMinutes }));
  const clear: ClearedMonitorField[] = [
    ...(value("removeHeaders") === "on" && Object.keys(headers).length === 0 ? ["headers" as const] : []),
    ...(monitor !== undefined && monitor.escalation.length > 0 && escalation.length === 0
      ? ["escalation" as const]
      : []),
  ];
  return {
    ...(value("name").trim() === "" ? {} : { name: value("name").trim() }),
    // The address may contain secrets: send it only if it was changed.
    ...(isChanged("url", monitor?.url) ? { url: value("url").trim() } : {}),
    interval: chosen(value("interval")),
    method: chosen(value("method")),
    timeout: Math.round(Number(value("timeout")) * 1_000),
    degradedAfterMs: Math.round(Number(value("degradedAfter")) * 1_000),
    headers,
    ...(body !== "" ? { body } : value("removeBody") === "on" ? { body: "" } : {}),
    cacheBust: value("cacheBust") === "on",
    ipVersion: chosen(value("ipVersion")),
    httpVersion: chosen(value("httpVersion")),
    expectedStatus: wordsOf(value("expectedStatus")),
    keyword: value("keyword"),
    ...configOf(assertions, monitor),
    openAfter: Number(value("openAfter")),
    resolveAfter: Number(value("resolveAfter")),
    regions: wordsOf(value("regions")),
    certificateNoticeDays: Number(value("certificateNoticeDays")),
    escalation,
    ...(clear.length > 0 ? { clear } : {}),
  };
}
