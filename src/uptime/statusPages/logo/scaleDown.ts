/** Pixels as red, green, blue and alpha, 8 bits each, row by row. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray };

/** A picture whose longer side is at most `mostPx`. Each new pixel is the mean of those it covers, weighted by how opaque they are. */
export function scaleDown(image: Pixels, mostPx: number): Pixels {
  const longer = Math.max(image.width, image.height);
  if (longer <= mostPx) return image;
  const size = (px: number): number => Math.max(1, Math.round((px * mostPx) / longer));
  const [width, height] = [size(image.width), size(image.height)];
  const { data } = image;
  const opaque = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0;
    for (let channel = 0; channel < 3; channel++) opaque[at + channel] = ((data[at + channel] ?? 0) * alpha) / 255;
    opaque[at + 3] = alpha;
  }
  const narrow = shrink(
    opaque,
    { lines: image.height, from: image.width, to: width, step: 4, lineStep: image.width * 4 },
    (line, index) => (line * width + index) * 4,
  );
  const small = shrink(
    narrow,
    { lines: width, from: image.height, to: height, step: width * 4, lineStep: 4 },
    (line, index) => (index * width + line) * 4,
  );
  const out = new Uint8ClampedArray(small.length);
  for (let at = 0; at < small.length; at += 4) {
    const alpha = small[at + 3] ?? 0;
    for (let channel = 0; channel < 3; channel++)
      out[at + channel] = alpha === 0 ? 0 : ((small[at + channel] ?? 0) * 255) / alpha;
    out[at + 3] = alpha;
  }
  return { width, height, data: out };
}

type Lines = {
  readonly lines: number;
  /** Pixels of a line before and after. */
  readonly from: number;
  readonly to: number;
  /** Between two pixels of a line, and between two lines. */
  readonly step: number;
  readonly lineStep: number;
};

/** Each line of pixels with `to` instead of `from` of them. */
function shrink(
  source: Float32Array,
  { lines, from, to, step, lineStep }: Lines,
  target: (line: number, index: number) => number,
): Float32Array {
  const ratio = from / to;
  const made = new Float32Array(lines * to * 4);
  for (let index = 0; index < to; index++) {
    const [start, end] = [index * ratio, Math.min(from, (index + 1) * ratio)];
    for (let pixel = Math.floor(start); pixel < end; pixel++) {
      const weight = (Math.min(end, pixel + 1) - Math.max(start, pixel)) / (end - start);
      for (let line = 0; line < lines; line++) {
        const [at, into] = [line * lineStep + pixel * step, target(line, index)];
        for (let channel = 0; channel < 4; channel++)
          made[into + channel] = (made[into + channel] ?? 0) + (source[at + channel] ?? 0) * weight;
      }
    }
  }
  return made;
}
