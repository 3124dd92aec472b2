import { useSignal } from "@preact/signals";
import type { StatusPage } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { Checkbox, TextArea } from "../../ui/fields.tsx";
import { Field, Form } from "../../ui/form.tsx";
import { AccentField } from "./accentField.tsx";
import { GroupEditor } from "./groupEditor.tsx";
import { type Groups, storedGroups } from "./groupOrder.ts";
import type { NamedMonitor } from "./namedMonitor.ts";
import { Preview } from "./preview.tsx";

type PageFields = {
  readonly slug: string;
  readonly title: string;
  readonly logoText: string;
  readonly description: string;
  readonly accentColor: string;
  readonly published: boolean;
  readonly groups: { name: string; monitorIds: string[] }[];
};

type PageFormProps = {
  readonly submit: string;
  readonly websiteId: string;
  /** Without it the form is for a new page. */
  readonly page?: StatusPage;
  readonly monitors: readonly NamedMonitor[];
  readonly onSubmit: (fields: PageFields) => Promise<void>;
};

/** The settings of a status page. Without any group all monitors are shown. */
export function PageForm({ submit, websiteId, page, monitors, onSubmit }: PageFormProps) {
  const { statusPages: texts } = allTexts();
  const groups = useSignal<Groups>((page?.groups ?? []).map((group, key) => ({ ...group, key })));
  const fieldsOf = (value: (name: string) => string): PageFields => ({
    slug: value("slug").trim(),
    title: value("title").trim(),
    logoText: value("logoText").trim(),
    description: value("description").trim(),
    accentColor: value("accentColor"),
    published: value("published") !== "",
    groups: storedGroups(groups.value),
  });
  return (
    <Form submit={submit} onSubmit={(value) => onSubmit(fieldsOf(value))}>
      <div class="form-row">
        <Field name="title" label={texts.pageTitle} maxLength={120} value={page?.title ?? ""} />
        <Field
          name="slug"
          label={texts.slug}
          hint={texts.slugHint}
          minLength={3}
          maxLength={63}
          pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
          value={page?.slug ?? ""}
        />
      </div>
      <Field name="logoText" label={texts.logoText} maxLength={40} isOptional value={page?.logoText ?? ""} />
      <TextArea name="description" label={texts.description} maxLength={500} rows={2} value={page?.description ?? ""} />
      <AccentField value={page?.accentColor ?? ""} />
      {monitors.length > 0 && <GroupEditor groups={groups} monitors={monitors} />}
      <Checkbox name="published" label={texts.publish} isChecked={page?.published ?? false} />
      <Preview websiteId={websiteId} {...(page === undefined ? {} : { pageId: page.id })} fieldsOf={fieldsOf} />
    </Form>
  );
}
