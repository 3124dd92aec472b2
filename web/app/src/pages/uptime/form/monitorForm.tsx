import type { MessageInitShape } from "@bufbuild/protobuf";
import { useSignal } from "@preact/signals";
import type {
  Monitor,
  UpdateMonitorRequest,
  UpdateMonitorRequestSchema,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { useCall } from "../../../api/useCall.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Checkbox, Select, TextArea } from "../../../ui/fields.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { channels } from "../services.ts";
import { type Assertion, Assertions, assertionsOf, configOf } from "./assertions.tsx";
import { Escalation, type Step, stepsOf } from "./escalation.tsx";
import { headersOf, wordsOf } from "./readFields.ts";
import { httpVersions, ipVersions, methods } from "./requestChoices.ts";

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

type MonitorFormProps = {
  /** Undefined for a new one. */
  readonly monitor: Monitor | undefined;
  readonly submit: string;
  readonly cancelHref: string;
  readonly onSubmit: (options: MonitorFields) => Promise<void>;
};

/** All options of a monitor; those that few people need are folded away. */
export function MonitorForm({ monitor, submit, cancelHref, onSubmit }: MonitorFormProps) {
  const { uptime: texts } = allTexts();
  const { fields } = texts;
  const steps = useSignal<readonly Step[]>(stepsOf(monitor));
  const assertions = useSignal<readonly Assertion[]>(assertionsOf(monitor));
  const known = useCall("channels", (signal) => channels.listNotificationChannels({}, { signal }));
  const send = (value: (name: string) => string): Promise<void> => {
    const isChanged = (name: string, before: unknown): boolean =>
      monitor === undefined || value(name) !== String(before);
    const body = value("body");
    const headers = headersOf(value("headers"));
    const escalation = steps.value
      .filter(({ channelIds }) => channelIds.length > 0)
      .map(({ channelIds, afterMinutes }) => ({ channelIds: [...channelIds], afterMinutes }));
    const clear = [
      ...(value("removeHeaders") === "on" && Object.keys(headers).length === 0 ? ["headers"] : []),
      ...(monitor !== undefined && monitor.escalation.length > 0 && escalation.length === 0 ? ["escalation"] : []),
    ];
    return onSubmit({
      ...(value("name").trim() === "" ? {} : { name: value("name").trim() }),
      // The address may contain secrets: send it only if it was changed.
      ...(isChanged("url", monitor?.url) ? { url: value("url").trim() } : {}),
      interval: value("interval"),
      method: value("method"),
      timeout: Math.round(Number(value("timeout")) * 1_000),
      degradedAfterMs: Math.round(Number(value("degradedAfter")) * 1_000),
      headers,
      ...(body !== "" ? { body } : value("removeBody") === "on" ? { body: "" } : {}),
      cacheBust: value("cacheBust") === "on",
      ipVersion: value("ipVersion"),
      httpVersion: value("httpVersion"),
      expectedStatus: wordsOf(value("expectedStatus")),
      keyword: value("keyword"),
      ...configOf(assertions.value, monitor),
      openAfter: Number(value("openAfter")),
      resolveAfter: Number(value("resolveAfter")),
      regions: wordsOf(value("regions")),
      certificateNoticeDays: Number(value("certificateNoticeDays")),
      escalation,
      ...(clear.length > 0 ? { clear } : {}),
    });
  };
  return (
    <div class="panel panel-form">
      <Form submit={submit} cancelHref={cancelHref} onSubmit={send}>
        <Field
          name="url"
          type="url"
          label={fields.url}
          hint={fields.urlHint}
          maxLength={2048}
          pattern="[hH][tT][tT][pP][sS]?://[^ ]+"
          placeholder="https://example.com/"
          value={monitor?.url ?? ""}
        />
        <div class="form-row">
          <Field
            name="name"
            label={fields.name}
            hint={fields.nameHint}
            isOptional
            maxLength={256}
            value={monitor?.name ?? ""}
          />
          <Select name="interval" label={fields.interval} choices={texts.intervals} value={monitor?.interval ?? "1m"} />
        </div>
        <Escalation steps={steps} channels={known} />
        <details class="fold">
          <summary>{fields.request}</summary>
          <div class="form">
            <div class="form-row">
              <Select
                name="method"
                label={fields.method}
                choices={Object.fromEntries(methods.map((method) => [method, method]))}
                value={monitor?.method ?? "GET"}
              />
              <Field
                name="timeout"
                type="number"
                label={fields.timeout}
                hint={fields.seconds}
                min={1}
                max={120}
                step={0.1}
                value={(monitor?.timeout ?? 30_000) / 1_000}
              />
            </div>
            <TextArea
              name="headers"
              label={fields.headers}
              hint={
                monitor !== undefined && monitor.headerNames.length > 0
                  ? fields.headersKept(monitor.headerNames.join(", "))
                  : fields.headersHint
              }
              placeholder="Accept: application/json"
            />
            {monitor !== undefined && monitor.headerNames.length > 0 && (
              <Checkbox name="removeHeaders" label={fields.removeHeaders} />
            )}
            <TextArea
              name="body"
              label={fields.body}
              hint={monitor?.hasBody === true ? fields.bodyKept : fields.bodyHint}
              maxLength={65_536}
            />
            {monitor?.hasBody === true && <Checkbox name="removeBody" label={fields.removeBody} />}
            <div class="form-row">
              <Select
                name="ipVersion"
                label={fields.ipVersion}
                choices={ipVersions(fields.auto)}
                value={monitor?.ipVersion ?? "auto"}
              />
              <Select
                name="httpVersion"
                label={fields.httpVersion}
                choices={httpVersions(fields.auto)}
                value={monitor?.httpVersion ?? "auto"}
              />
            </div>
            <Checkbox name="cacheBust" label={fields.cacheBust} isChecked={monitor?.cacheBust ?? false} />
          </div>
        </details>
        <details class="fold">
          <summary>{fields.goodAnswer}</summary>
          <div class="form">
            <div class="form-row">
              <Field
                name="expectedStatus"
                label={fields.expectedStatus}
                hint={fields.expectedStatusHint}
                value={(monitor?.expectedStatus ?? ["200-299"]).join(", ")}
              />
              <Field
                name="degradedAfter"
                type="number"
                label={fields.degradedAfter}
                hint={fields.degradedAfterHint}
                min={0}
                max={120}
                step={0.001}
                value={(monitor?.degradedAfterMs ?? 5_000) / 1_000}
              />
            </div>
            <Field
              name="keyword"
              label={fields.keyword}
              hint={fields.keywordHint}
              isOptional
              maxLength={1_024}
              value={monitor?.keyword ?? ""}
            />
            <Assertions assertions={assertions} />
          </div>
        </details>
        <details class="fold">
          <summary>{fields.incidents}</summary>
          <div class="form">
            <div class="form-row">
              <Field
                name="openAfter"
                type="number"
                label={fields.openAfter}
                min={1}
                max={10}
                value={monitor?.openAfter ?? 2}
              />
              <Field
                name="resolveAfter"
                type="number"
                label={fields.resolveAfter}
                min={1}
                max={10}
                value={monitor?.resolveAfter ?? 1}
              />
            </div>
            <div class="form-row">
              <Field
                name="certificateNoticeDays"
                type="number"
                label={fields.certificateNotice}
                hint={fields.days}
                min={0}
                max={365}
                value={monitor?.certificateNoticeDays ?? 14}
              />
              <Field
                name="regions"
                label={fields.regions}
                hint={fields.regionsHint}
                isOptional
                value={monitor?.regions.join(", ") ?? ""}
              />
            </div>
          </div>
        </details>
      </Form>
    </div>
  );
}
