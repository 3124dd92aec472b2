import { useEffect, useRef } from "preact/hooks";

type ChosenBoxProps = {
  /** What it chooses, for people who do not see the row. */
  readonly label: string;
  readonly isChosen: boolean;
  /** Whether some of what it stands for is chosen, but not all. */
  readonly isPartly?: boolean;
  readonly onChoose: (isChosen: boolean) => void;
};

/** A checkbox of a row, or of all rows. */
export function ChosenBox({ label, isChosen, isPartly = false, onChoose }: ChosenBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <label class="choose-box">
      <span class="said">{label}</span>
      <input
        ref={box}
        type="checkbox"
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
    </label>
  );
}
