import type uPlot from "uplot";
import type { PlacedMark } from "./chartMarks.ts";
import type { PlotBox } from "./markGroups.ts";
import type { ColourOf } from "./startPlot.ts";
import type { Run } from "./unknownRuns.ts";

/** The size of a mark at the axis, in pixels of the page. */
const mark = { width: 4, height: 10 } as const;

/** A small mark at the axis where something was down or maintained; a band behind the lines where hours are shown, which are as long as such times. */
export function markSigns(marks: readonly PlacedMark[], isHourly: boolean, colour: ColourOf): uPlot.Plugin {
  const colourOf = (kind: PlacedMark["kind"]) => colour(kind === "incident" ? "--bad" : "--accent");
  return {
    hooks: {
      drawClear: ({ ctx, bbox, valToPos }) => {
        if (!isHourly) return;
        ctx.save();
        ctx.globalAlpha = 0.12;
        for (const { kind, first, last } of marks) {
          const start = Math.max(bbox.left, valToPos(first - 0.5, "x", true));
          const end = Math.min(bbox.left + bbox.width, valToPos(last + 0.5, "x", true));
          ctx.fillStyle = colourOf(kind);
          ctx.fillRect(start, bbox.top, end - start, bbox.height);
        }
        ctx.restore();
      },
      draw: ({ ctx, bbox, valToPos }) => {
        const { devicePixelRatio } = globalThis;
        const [width, height] = [mark.width * devicePixelRatio, mark.height * devicePixelRatio];
        ctx.save();
        for (const { kind, first, last } of marks) {
          const start = valToPos(first, "x", true) - width / 2;
          const end = valToPos(last, "x", true) + width / 2;
          ctx.fillStyle = colourOf(kind);
          ctx.fillRect(start, bbox.top + bbox.height - height, end - start, height);
        }
        ctx.restore();
      },
    },
  };
}

/** Hatches times of which nothing is known, so that they do not look like times without visitors. The text says since when figures are kept. */
export function gapHatching(
  gaps: readonly Run[],
  text: string | undefined,
  colour: ColourOf,
  font: string,
): uPlot.Plugin {
  const edgesOf = ({ bbox, valToPos, scales }: uPlot, { first, last }: Run) => ({
    start: Math.max(bbox.left, valToPos(Math.max(0, first - 0.5), "x", true)),
    end: Math.min(bbox.left + bbox.width, valToPos(Math.min(scales["x"]?.max ?? 0, last + 0.5), "x", true)),
  });
  return {
    hooks: {
      drawClear: (plot) => {
        const { ctx, bbox } = plot;
        const { devicePixelRatio } = globalThis;
        for (const gap of gaps) {
          const { start, end } = edgesOf(plot, gap);
          ctx.save();
          ctx.beginPath();
          ctx.rect(start, bbox.top, end - start, bbox.height);
          ctx.clip();
          ctx.strokeStyle = colour("--line");
          ctx.lineWidth = 2 * devicePixelRatio;
          ctx.beginPath();
          for (let x = start - bbox.height; x < end; x += 8 * devicePixelRatio) {
            ctx.moveTo(x, bbox.top + bbox.height);
            ctx.lineTo(x + bbox.height, bbox.top);
          }
          ctx.stroke();
          ctx.restore();
        }
      },
      // After the lines of the axis, which would go through the text.
      drawAxes: (plot) => {
        const [gap] = gaps;
        if (gap?.first !== 0 || text === undefined) return;
        plot.ctx.save();
        writeInside(plot.ctx, text, { ...edgesOf(plot, gap), top: plot.bbox.top }, colour, font);
        plot.ctx.restore();
      },
    },
  };
}

type Place = { readonly start: number; readonly end: number; readonly top: number };

/** Writes a text at the end of a hatched time, if it has room there. */
function writeInside(
  ctx: CanvasRenderingContext2D,
  text: string,
  { start, end, top }: Place,
  colour: ColourOf,
  font: string,
): void {
  const { devicePixelRatio } = globalThis;
  const gap = 8 * devicePixelRatio;
  ctx.font = font.replace(/^(\d+)px/, (_, size) => `${Number(size) * devicePixelRatio}px`);
  const { width } = ctx.measureText(text);
  if (width + 2 * gap > end - start) return;
  const height = 16 * devicePixelRatio;
  ctx.fillStyle = colour("--surface");
  ctx.fillRect(end - width - 2 * gap, top + gap / 2, width + 2 * gap, height + gap / 2);
  ctx.fillStyle = colour("--ink-soft");
  ctx.textAlign = "right";
  ctx.textBaseline = "top";
  ctx.fillText(text, end - gap, top + gap);
}

/** Tells where the lines are, whenever they are drawn. */
export function tellBox(tell: (box: PlotBox) => void): uPlot.Plugin {
  return {
    hooks: {
      draw: ({ bbox }) => {
        const { devicePixelRatio } = globalThis;
        tell({ startPx: bbox.left / devicePixelRatio, widthPx: bbox.width / devicePixelRatio });
      },
    },
  };
}
