import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type SegmentFilter,
  SegmentService,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/segments_pb.ts";
import type {
  CreateSharedDashboardRequestSchema,
  SharedDashboard,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/shared_dashboards_pb.ts";
import type { FilterOperator } from "../../../../../../packages/client-js/src/valueSets.ts";
import { chosen } from "../../../api/chosen.ts";
import { clientOf } from "../../../api/client.ts";
import { useCall } from "../../../api/useCall.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { FieldGroup } from "../../../ui/fieldGroup.tsx";
import { Checkbox, Select, TextArea } from "../../../ui/fields.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { passwordLengths } from "../../../ui/passwordLengths.ts";
import { panelsOf, sharedPanels, typesOf } from "./sharedPanels.ts";

/** A shared dashboard as the service answers it. */
export type Shared = SharedDashboard;

/** What the form states about one. */
export type ShareFields = Required<
  Pick<MessageInitShape<typeof CreateSharedDashboardRequestSchema>, "name" | "types" | "filters" | "origins">
> & { readonly name: string; readonly expiresAt?: string; readonly password?: string };

type ShareFormProps = {
  readonly websiteId: string;
  /** The dashboard to change; undefined for a new one. */
  readonly share: Shared | undefined;
  readonly onSave: (fields: ShareFields) => Promise<void>;
  readonly onClose: () => void;
};

const segments = clientOf(SegmentService);

/** The choice of the filters that the dashboard has already. */
const kept = "kept";

/** Chooses what is shared: panels, filters, password, end, and who may embed it. */
export function ShareForm({ websiteId, share, onSave, onClose }: ShareFormProps) {
  const texts = allTexts();
  const { sharing, settings } = texts;
  const today = new Date().toISOString().slice(0, 10);
  const known = useCall(websiteId, async (signal) => (await segments.listSegments({ websiteId }, { signal })).segments);
  const segmentOf = (wanted: string) => known.value?.find(({ id }) => id === wanted);
  const panels = share === undefined ? sharedPanels : panelsOf(share.types);
  const hasFilters = (share?.filters.length ?? 0) > 0;
  return (
    <Dialog title={share === undefined ? sharing.new : sharing.change(share.name)} onClose={onClose}>
      <Form
        submit={share === undefined ? sharing.share : settings.save}
        onSubmit={async (value, all) => {
          const last = value("expires");
          const password = value("password");
          const chosenFilters = value("filters");
          await onSave({
            name: value("name").trim(),
            types: typesOf(all("panels")),
            filters:
              (chosenFilters === kept ? share?.filters : segmentOf(chosenFilters)?.filters)?.map(asQueried) ?? [],
            origins: value("origins")
              .split(/\s+/)
              .filter((origin) => origin !== ""),
            // The day is included, by the device's clock.
            ...(last === "" ? {} : { expiresAt: new Date(`${last}T23:59:59.999`).toISOString() }),
            ...(all("noPassword").length > 0 ? { password: "" } : password === "" ? {} : { password }),
          });
        }}
      >
        <Field
          name="name"
          label={sharing.name}
          hint={sharing.nameHint}
          maxLength={80}
          value={share?.name ?? ""}
          autoFocus
        />
        <FieldGroup label={sharing.shows} hint={sharing.showsHint}>
          <div class="choices">
            {sharedPanels.map((panel) => (
              <Checkbox
                key={panel.id}
                name="panels"
                value={panel.id}
                label={panel.name(texts)}
                isChecked={panels.includes(panel)}
              />
            ))}
          </div>
        </FieldGroup>
        {known.value !== undefined && (
          <Select
            name="filters"
            label={sharing.filters}
            hint={sharing.filtersHint}
            value={hasFilters ? kept : ""}
            choices={{
              "": sharing.noFilters,
              ...(hasFilters ? { [kept]: sharing.keptFilters(share?.filters.length ?? 0) } : {}),
              ...Object.fromEntries(known.value.filter(({ shared }) => shared).map(({ id, name }) => [id, name])),
            }}
          />
        )}
        <Field
          name="password"
          type="password"
          label={sharing.password}
          hint={share?.hasPassword === true ? sharing.passwordStays : sharing.passwordHint}
          autoComplete="new-password"
          {...passwordLengths.ofSharedDashboard}
          isOptional
        />
        {share?.hasPassword === true && <Checkbox name="noPassword" label={sharing.noPassword} />}
        <Field
          name="expires"
          type="date"
          label={sharing.lastDay}
          hint={sharing.lastDayHint}
          min={today}
          value={share?.expiresAt === undefined ? "" : dayOf(share.expiresAt)}
          isOptional
        />
        <TextArea
          name="origins"
          label={sharing.origins}
          hint={sharing.originsHint}
          value={share?.origins.join("\n") ?? ""}
          placeholder="https://example.com"
          rows={2}
        />
      </Form>
    </Dialog>
  );
}

/** A filter as queries take it. */
function asQueried({ field, op, value }: SegmentFilter) {
  return { field, op: chosen<FilterOperator>(op), value };
}

/** The day of an instant, by the device's clock. */
function dayOf(instant: string): string {
  const at = new Date(instant);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
