import { useEffect, useRef } from "preact/hooks";
import type { ChartData } from "./drawChart.ts";
import type { Drawing } from "./startPlot.ts";

type ChartCanvasProps = {
  /** Undefined until known. */
  readonly data: ChartData | undefined;
  /** Redraws when one of these changes. */
  readonly changes: readonly unknown[];
  readonly isHidden?: boolean;
};

/** An area of fixed height for a chart. The chart's code is loaded after the first figures are on screen. */
export function ChartCanvas({ data, changes, isHidden = false }: ChartCanvasProps) {
  const canvas = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | undefined>(undefined);
  useEffect(() => {
    if (data === undefined) return;
    let isGone = false;
    void import("./drawChart.ts").then(({ drawChart }) => {
      if (isGone || canvas.current === null) return;
      drawing.current?.remove();
      drawing.current = drawChart(canvas.current, data);
    });
    return () => {
      isGone = true;
    };
  }, changes);
  useEffect(() => () => drawing.current?.remove(), []);
  return <div class="chart-canvas" ref={canvas} hidden={isHidden} aria-hidden="true" />;
}
