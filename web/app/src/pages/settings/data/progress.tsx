import { useId } from "preact/hooks";
import { formatPercent } from "../../../texts/format.ts";

type ProgressProps = {
  readonly label: string;
  /** Percent. */
  readonly value: number;
};

/** A labelled progress bar. */
export function Progress({ label, value }: ProgressProps) {
  const id = useId();
  return (
    <div class="progress">
      <label class="said" for={id}>
        {label}
      </label>
      <progress id={id} max={100} value={value} />
      <span>{formatPercent(value, 0)}</span>
    </div>
  );
}
