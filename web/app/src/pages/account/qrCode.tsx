import { create } from "qrcode";

/** Light modules around the code; readers need them to find it. */
const quiet = 4;

/** A text as a QR code. It is drawn in the browser, so the text is sent nowhere. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { modules } = create(text, { errorCorrectionLevel: "M" });
  const { size } = modules;
  const dark: string[] = [];
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++)
      if (modules.get(row, column)) dark.push(`M${column + quiet} ${row + quiet}h1v1h-1z`);
  const side = size + 2 * quiet;
  return (
    <svg class="secret-qr" role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} shape-rendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
}
