import type { Days } from "../../../figures/days.ts";
import { t } from "../../../texts/texts.ts";

type OwnDaysProps = {
  readonly days: Days;
  /** The last day that may be chosen. */
  readonly latest: string;
  readonly onChoose: (days: Days) => void;
};

/** A first and a last day, in either order. */
export function OwnDays({ days, latest, onChoose }: OwnDaysProps) {
  const { dashboard } = t();
  return (
    <form
      class="own-range"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const [first = "", last = ""] = [String(data.get("from")), String(data.get("to"))].toSorted();
        onChoose({ first, last });
      }}
    >
      <label>
        {dashboard.from}
        <input class="input" type="date" name="from" required max={latest} defaultValue={days.first} />
      </label>
      <label>
        {dashboard.to}
        <input class="input" type="date" name="to" required max={latest} defaultValue={days.last} />
      </label>
      <button type="submit" class="button">
        {dashboard.show}
      </button>
    </form>
  );
}
