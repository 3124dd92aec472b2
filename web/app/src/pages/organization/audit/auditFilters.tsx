import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import type { AuditFilter } from "./auditFilter.ts";

type AuditFiltersProps = {
  readonly filter: AuditFilter;
  readonly websites: readonly Website[];
  /** Actions on screen, as suggestions. */
  readonly actions: readonly string[];
  readonly onChange: (filter: AuditFilter) => void;
};

/** Narrows the log to a website, an action or an object. */
export function AuditFilters({ filter, websites, actions, onChange }: AuditFiltersProps) {
  const { audit: texts } = allTexts();
  const id = useId();
  const change = (name: keyof AuditFilter, value: string): void => {
    if (value !== filter[name]) onChange({ ...filter, [name]: value });
  };
  return (
    <search aria-label={texts.filters}>
      <form
        class="filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          const read = (name: string): string => String(new FormData(event.currentTarget).get(name) ?? "").trim();
          onChange({ website: read("website"), action: read("action"), object: read("object") });
        }}
      >
        <div class="field">
          <label for={`${id}-website`}>{texts.website}</label>
          <select
            id={`${id}-website`}
            name="website"
            class="input"
            value={filter.website}
            onChange={(event) => change("website", event.currentTarget.value)}
          >
            <option value="">{texts.allWebsites}</option>
            {websites.map((website) => (
              <option key={website.id} value={website.id}>
                {website.name}
              </option>
            ))}
            {filter.website !== "" && !websites.some((website) => website.id === filter.website) && (
              <option value={filter.website}>{filter.website}</option>
            )}
          </select>
        </div>
        <div class="field">
          <label for={`${id}-action`}>{texts.action}</label>
          <TextFilter
            id={`${id}-action`}
            name="action"
            list={`${id}-actions`}
            value={filter.action}
            placeholder="website.update"
            onChange={(value) => change("action", value)}
          />
          <datalist id={`${id}-actions`}>
            {[...new Set(actions)].sort().map((action) => (
              <option key={action} value={action} />
            ))}
          </datalist>
        </div>
        <div class="field">
          <label for={`${id}-object`}>{texts.object}</label>
          <TextFilter
            id={`${id}-object`}
            name="object"
            value={filter.object}
            placeholder={texts.objectPlaceholder}
            onChange={(value) => change("object", value)}
          />
        </div>
      </form>
    </search>
  );
}

type TextFilterProps = {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
  readonly list?: string;
  readonly onChange: (value: string) => void;
};

/** Shows another value once the address changes. As a property, it would overwrite what is being typed with each answer. */
function TextFilter({ value, onChange, ...attributes }: TextFilterProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current !== null) input.current.value = value;
  }, [value]);
  return (
    <input
      {...attributes}
      ref={input}
      type="text"
      class="input"
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  );
}
