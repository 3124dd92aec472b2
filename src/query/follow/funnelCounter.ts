/** Visitors who got to a step and all before it, and the times they took from the step before, in microseconds. */
export type StepCount = { visitors: number; readonly waitsUs: number[] };

/** An attempt to take all steps, with the times of its steps. */
type Attempt = { readonly timesUs: readonly number[]; readonly value: string };

type StepEvent = { readonly mask: number; readonly value: string };

/** Of equal events at one instant only one per step and the last one can make a difference. */
type EqualEvents = { readonly first: StepEvent[]; last: StepEvent | undefined };

/**
 * Counts how far visitors get in a sequence of steps. Takes events ordered by visitor and time and holds only the state
 * of the current visitor, one attempt per step.
 *
 * An attempt begins with an event that matches the first step and takes each next step as early as it can, within the
 * window from its beginning. An event is at most one step of an attempt; simultaneous events count in the order of
 * their steps. A visitor counts once, with the attempt that gets furthest. Of several such attempts the first to get
 * there counts, and of those that get there at the same time the one that began last.
 */
export class FunnelCounter {
  readonly #steps: number;
  readonly #windowUs: number;
  readonly #total: StepCount[] = [];
  readonly #byValue = new Map<string, StepCount[]>();
  #visitor = "";
  #timeUs = 0;
  /** Events of the current visitor at the current instant, by their mask. */
  #instant = new Map<number, EqualEvents>();
  /** For each step the attempt that began last among those that have taken it. */
  #attempts: (Attempt | undefined)[] = [];
  #best: Attempt | undefined;

  constructor(steps: number, windowMs: number) {
    this.#steps = steps;
    this.#windowUs = windowMs * 1_000;
  }

  /** Counts an event; bit n of `mask` says whether it matches step n, `value` is the split value of a first step. */
  add(visitor: string, timeUs: number, mask: number, value: string): void {
    if (visitor !== this.#visitor) {
      this.#finishVisitor();
      this.#visitor = visitor;
    } else if (timeUs !== this.#timeUs) this.#finishInstant();
    this.#timeUs = timeUs;
    const equal: EqualEvents = this.#instant.get(mask) ?? { first: [], last: undefined };
    this.#instant.set(mask, equal);
    if (equal.first.length < this.#steps) equal.first.push({ mask, value });
    else equal.last = { mask, value };
  }

  /** The counts, in total and for each value of the first step. A step that no visitor took is missing. */
  finish(): { readonly total: readonly StepCount[]; readonly byValue: ReadonlyMap<string, readonly StepCount[]> } {
    this.#finishVisitor();
    return { total: this.#total, byValue: this.#byValue };
  }

  #finishVisitor(): void {
    this.#finishInstant();
    const best = this.#best;
    if (best !== undefined) {
      const ofValue = this.#byValue.get(best.value) ?? [];
      this.#byValue.set(best.value, ofValue);
      for (const counts of [this.#total, ofValue]) count(counts, best);
    }
    this.#attempts = [];
    this.#best = undefined;
  }

  #finishInstant(): void {
    const masks = [...this.#instant.keys()];
    if (masks.length > 1) masks.sort(byFirstStep);
    for (const mask of masks) {
      const { first = [], last } = this.#instant.get(mask) ?? {};
      for (const event of first) this.#take(event);
      if (last !== undefined) this.#take(last);
    }
    this.#instant.clear();
  }

  #take({ mask, value }: StepEvent): void {
    // From the last step to the first: no attempt takes two steps with one event.
    for (let step = this.#steps - 1; step >= 0; step -= 1) {
      if ((mask & (1 << step)) === 0) continue;
      const before = step === 0 ? { timesUs: [], value } : this.#attempts[step - 1];
      if (before === undefined) continue;
      const beganUs = before.timesUs[0] ?? this.#timeUs;
      if (this.#timeUs - beganUs > this.#windowUs) continue;
      const known = this.#attempts[step]?.timesUs[0];
      if (step > 0 && known !== undefined && known >= beganUs) continue;
      const attempt = { timesUs: [...before.timesUs, this.#timeUs], value: before.value };
      this.#attempts[step] = attempt;
      if (this.#best === undefined || this.#best.timesUs.length <= step) this.#best = attempt;
    }
  }
}

function count(counts: StepCount[], { timesUs }: Attempt): void {
  timesUs.forEach((timeUs, step) => {
    const counted = counts[step] ?? { visitors: 0, waitsUs: [] };
    counts[step] = counted;
    counted.visitors += 1;
    const beforeUs = timesUs[step - 1];
    if (beforeUs !== undefined) counted.waitsUs.push(timeUs - beforeUs);
  });
}

function byFirstStep(a: number, b: number): number {
  return (a & -a) - (b & -b) || a - b;
}
