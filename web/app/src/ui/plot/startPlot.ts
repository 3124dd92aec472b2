import { effect } from "@preact/signals";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colourChanges } from "../../preferences/theme.ts";

export type Drawing = { remove(): void };

export type Plot = {
  readonly options: Omit<uPlot.Options, "width" | "height">;
  readonly data: uPlot.AlignedData;
};

/** Resolves a token to its colour in the theme. */
export type ColourOf = (token: string) => string;

/** Draws a plot into an element, whose height stays the same. Redraws when its width or the theme changes. */
export function startPlot(into: HTMLElement, make: (colour: ColourOf, font: string) => Plot): Drawing {
  let plot: uPlot | undefined;
  const sizeOf = () => ({ width: into.clientWidth, height: into.clientHeight });
  const stopTheme = effect(() => {
    void colourChanges.value;
    plot?.destroy();
    const { options, data } = make(coloursOf(into), `12px ${getComputedStyle(into).fontFamily}`);
    plot = new uPlot({ ...options, ...sizeOf() }, data, into);
  });
  const resizes = new ResizeObserver(() => plot?.setSize(sizeOf()));
  resizes.observe(into);
  return {
    remove: () => {
      stopTheme();
      resizes.disconnect();
      plot?.destroy();
      plot = undefined;
    },
  };
}

/** Browsers do not resolve a custom property to a colour, so an element has to use it as its colour. */
function coloursOf(into: HTMLElement): ColourOf {
  return (token) => {
    const probe = document.createElement("span");
    probe.style.color = `var(${token})`;
    into.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}
