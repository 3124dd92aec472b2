import type { Filter } from "../../../../../../packages/client-js/src/query.ts";
import { t } from "../../../texts/texts.ts";
import { Combobox } from "../../../ui/combobox.tsx";
import { matchingValues } from "./matchingValues.ts";
import { useKnownValues } from "./useKnownValues.ts";
import { propertyKeys } from "./valueSource.ts";

const mostShown = 50;

type PropertyKeyProps = {
  /** Empty until one is chosen. */
  readonly chosen: string;
  /** What is typed and not chosen yet. */
  readonly text: string;
  /** The filters that stay: the keys are those of the events that they select. */
  readonly others: readonly Filter[];
  readonly onText: (text: string) => void;
  readonly onChange: (key: string) => void;
};

/** The key of the property that a filter is on, with the known ones to choose from. */
export function PropertyKey({ chosen, text, others, onText, onChange }: PropertyKeyProps) {
  const { panels, filterForm, dashboard, app } = t();
  const { values, isLoading } = useKnownValues(propertyKeys, text, others);
  return (
    <Combobox
      label={panels.property}
      chosen={chosen === "" ? [] : [{ value: chosen, name: chosen }]}
      options={matchingValues(values, text, [chosen], mostShown)}
      text={text}
      isMultiple={false}
      isLoading={isLoading}
      autoFocus={false}
      texts={{
        ...filterForm.choose,
        remove: (name) => `${dashboard.removeFilter}: ${name}`,
        loading: app.loading,
      }}
      onText={onText}
      onChange={([key = ""]) => onChange(key)}
      // The values that are offered next are those of the key.
      onLeave={() => {
        if (text.trim() !== "") onChange(text.trim());
      }}
    />
  );
}
