import type uPlot from "uplot";

/** The text of the box next to the cursor for a place on the x axis. */
export type TooltipText = {
  readonly title: string;
  /** Rows of a name and a figure. */
  readonly rows: readonly (readonly [name: string, figure: string])[];
};

/** A box next to the cursor. Undefined hides it. */
export function tooltip(textAt: (index: number) => TooltipText | undefined): uPlot.Plugin {
  const box = document.createElement("div");
  box.className = "chart-tooltip";
  box.hidden = true;
  const show = (plot: uPlot): void => {
    const index = plot.cursor.idx;
    const text = typeof index === "number" ? textAt(index) : undefined;
    box.hidden = text === undefined;
    if (text === undefined) return;
    const title = document.createElement("p");
    title.textContent = text.title;
    box.replaceChildren(title, ...text.rows.map(rowOf));
    const left = plot.cursor.left ?? 0;
    const isRight = left > plot.over.clientWidth / 2;
    box.style.insetBlockStart = "4px";
    box.style.left = isRight ? "auto" : `${left + 12}px`;
    box.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : "auto";
  };
  return { hooks: { init: (plot) => plot.over.append(box), setCursor: show } };
}

function rowOf([name, figure]: readonly [name: string, figure: string]): HTMLElement {
  const row = document.createElement("p");
  row.className = "chart-tooltip-row";
  const [term, value] = [document.createElement("span"), document.createElement("b")];
  term.textContent = name;
  value.textContent = figure;
  row.append(term, value);
  return row;
}
