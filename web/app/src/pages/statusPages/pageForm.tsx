import type { StatusPage } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { Checkbox, TextArea } from "../../ui/fields.tsx";
import { Field, Form } from "../../ui/form.tsx";

export type NamedMonitor = { readonly id: string; readonly name: string };

type Group = { name: string; monitorIds: string[] };

type PageFields = {
  readonly slug: string;
  readonly title: string;
  readonly logoText: string;
  readonly description: string;
  readonly published: boolean;
  readonly groups: Group[];
};

type PageFormProps = {
  readonly submit: string;
  /** Without it the form is for a new page. */
  readonly page?: StatusPage;
  readonly monitors: readonly NamedMonitor[];
  readonly onSubmit: (fields: PageFields) => Promise<void>;
};

/**
 * The settings of a status page. A monitor belongs to the group named next to it; without any group name all monitors are shown.
 */
export function PageForm({ submit, page, monitors, onSubmit }: PageFormProps) {
  const { statusPages: texts } = allTexts();
  const groupOf = (id: string) => page?.groups.find(({ monitorIds }) => monitorIds.includes(id));
  return (
    <Form
      submit={submit}
      onSubmit={(value, all) =>
        onSubmit({
          slug: value("slug").trim(),
          title: value("title").trim(),
          logoText: value("logoText").trim(),
          description: value("description").trim(),
          published: value("published") !== "",
          groups: grouped(all("monitor"), (id) => value(`group-${id}`).trim()),
        })
      }
    >
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
      {monitors.length > 0 && (
        <fieldset class="choices">
          <legend>{texts.monitors}</legend>
          <p class="field-hint">{texts.monitorsHint}</p>
          {monitors.map(({ id, name }) => (
            <div key={id} class="form-row">
              <Checkbox name="monitor" value={id} label={name} isChecked={groupOf(id) !== undefined} />
              <Field
                name={`group-${id}`}
                label={texts.groupOf(name)}
                maxLength={120}
                isOptional
                value={groupOf(id)?.name ?? ""}
              />
            </div>
          ))}
        </fieldset>
      )}
      <Checkbox name="published" label={texts.publish} isChecked={page?.published ?? false} />
    </Form>
  );
}

/** Groups monitors by the name of their group, in the order of the names' first occurrence. */
function grouped(monitorIds: readonly string[], nameOf: (id: string) => string): Group[] {
  return [...Map.groupBy(monitorIds, nameOf)].map(([name, ids]) => ({ name, monitorIds: ids }));
}
