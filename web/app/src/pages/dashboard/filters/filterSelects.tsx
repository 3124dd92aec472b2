import { useId } from "preact/hooks";
import { may } from "../../../api/session.ts";
import { t } from "../../../texts/texts.ts";
import { type DashboardContext, mayAsk, useDashboard } from "../context.ts";
import { fieldName } from "../fieldName.ts";
import { type OperatorChoice, operatorChoices } from "./filterChoice.ts";
import { filterFields } from "./filterFields.ts";
import { goalField } from "./goalFilter.ts";
import { propertyField, propertyKeyOf } from "./propertyField.ts";

/** Whether the form offers a field; others come from lists, such as the address of a link that leaves the website. */
export function isListed(field: string, { isMember, types }: Pick<DashboardContext, "isMember" | "types">): boolean {
  if (propertyKeyOf(field) !== undefined || field === goalField) return isMember;
  return filterFields.some(
    (one) => one.field === field && (isMember || one.isPrivate !== true) && mayAsk({ types }, one.type),
  );
}

type FieldSelectProps = { readonly field: string; readonly onChange: (field: string) => void };

/** What is filtered by. */
export function FieldSelect({ field, onChange }: FieldSelectProps) {
  const { isMember, types } = useDashboard();
  const texts = t();
  const id = useId();
  const known = isListed(field, { isMember, types });
  return (
    <div class="field">
      <label for={id}>{texts.filterForm.field}</label>
      <select
        id={id}
        class="input"
        value={known && propertyKeyOf(field) !== undefined ? propertyField("") : field}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {!known && <option value={field}>{fieldName(field, texts)}</option>}
        {filterFields
          .filter((one) => isListed(one.field, { isMember, types }))
          .map((one) => (
            <option key={one.field} value={one.field}>
              {texts.fields[one.field]}
            </option>
          ))}
        {isMember && <option value={propertyField("")}>{texts.panels.property}</option>}
        {isMember && may("read:data") && <option value={goalField}>{texts.more.goal}</option>}
      </select>
    </div>
  );
}

type OperatorSelectProps = {
  readonly field: string;
  readonly op: OperatorChoice;
  readonly onChange: (op: OperatorChoice) => void;
};

/** How values are compared. */
export function OperatorSelect({ field, op, onChange }: OperatorSelectProps) {
  const { dashboard, filterForm } = t();
  const id = useId();
  // The service has no filter for visits without a goal.
  const offered = field === goalField ? (["eq"] as const) : operatorChoices;
  return (
    <div class="field">
      <label for={id}>{filterForm.operator}</label>
      <select
        id={id}
        class="input"
        value={op}
        onChange={({ currentTarget }) => onChange(offered.find((name) => name === currentTarget.value) ?? "eq")}
      >
        {offered.map((name) => (
          <option key={name} value={name}>
            {dashboard.operators[name]}
          </option>
        ))}
      </select>
    </div>
  );
}
