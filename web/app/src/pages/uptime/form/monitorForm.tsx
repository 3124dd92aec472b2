import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { useCall } from "../../../api/useCall.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Checkbox, Select, TextArea } from "../../../ui/fields.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { CheckOutcome } from "../checkNow/checkOutcome.tsx";
import { useCheck } from "../checkNow/useCheck.ts";
import { channels, uptime } from "../services.ts";
import { AddChannel } from "./addChannel.tsx";
import { type Assertion, Assertions, assertionsOf } from "./assertions.tsx";
import { Escalation, type Step, stepsOf, withChannel } from "./escalation.tsx";
import { type MonitorFields, optionsOf } from "./optionsOf.ts";
import { httpVersions, ipVersions, methods } from "./requestChoices.ts";

type MonitorFormProps = {
  readonly websiteId: string;
  /** Undefined for a new one. */
  readonly monitor: Monitor | undefined;
  readonly submit: string;
  readonly cancelHref: string;
  readonly onSubmit: (options: MonitorFields) => Promise<void>;
};

/** All options of a monitor; those that few people need are folded away. */
export function MonitorForm({ websiteId, monitor, submit, cancelHref, onSubmit }: MonitorFormProps) {
  const { uptime: texts, incident } = allTexts();
  const { fields } = texts;
  const steps = useSignal<readonly Step[]>(stepsOf(monitor));
  const assertions = useSignal<readonly Assertion[]>(assertionsOf(monitor));
  const known = useCall("channels", (signal) => channels.listNotificationChannels({}, { signal }));
  const check = useCheck();
  const isAddingChannel = useSignal(false);
  const isUntouched = useRef(monitor === undefined);
  const firstChannel = known.value?.channels[0]?.id;
  useEffect(() => {
    // Somebody should be told of a new monitor, unless that was taken out.
    if (!isUntouched.current || firstChannel === undefined) return;
    isUntouched.current = false;
    steps.value = [{ channelIds: [firstChannel], afterMinutes: 0 }];
  }, [firstChannel, steps]);
  const given = (value: (name: string) => string): MonitorFields =>
    optionsOf(value, { monitor, steps: steps.value, assertions: assertions.value });
  const testThis = (form: HTMLFormElement): void => {
    const url = form.querySelector<HTMLInputElement>("input[name=url]");
    if (url !== null && !url.reportValidity()) return;
    const data = new FormData(form);
    const { clear: _, ...options } = given((name) => String(data.get(name) ?? ""));
    check.start(async () => {
      const { result } = await uptime.testMonitor(
        monitor === undefined
          ? { monitor: { ...options, url: String(data.get("url") ?? "").trim(), websiteId } }
          : { changes: { ...options, id: monitor.id } },
      );
      return result;
    });
  };
  return (
    <div class="panel panel-form">
      <Form submit={submit} cancelHref={cancelHref} onSubmit={(value) => onSubmit(given(value))}>
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
        <Escalation steps={steps} channels={known} onAddChannel={() => (isAddingChannel.value = true)} />
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
        <div class="form-test">
          <button
            type="button"
            class="button"
            disabled={check.isChecking}
            onClick={({ currentTarget }) => {
              if (currentTarget.form !== null) testThis(currentTarget.form);
            }}
          >
            {incident.testThis}
          </button>
          <CheckOutcome check={check} />
        </div>
      </Form>
      {isAddingChannel.value && (
        <AddChannel
          onClose={() => (isAddingChannel.value = false)}
          onCreate={(channelId) => {
            isUntouched.current = false;
            known.reload();
            steps.value = withChannel(steps.value, channelId);
          }}
        />
      )}
    </div>
  );
}
