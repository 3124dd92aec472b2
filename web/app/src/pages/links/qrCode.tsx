import { t } from "../../texts/texts.ts";

const shownSize = 160;
const savedSize = 1_024;

/** The address of a link as a QR code, which the service draws. */
export function QrCode({ slug, name }: { readonly slug: string; readonly name: string }) {
  const { links: texts } = t();
  // Relative to the page's base, like all addresses of the app.
  const addressOf = (format: string, size: number): string =>
    `l/${encodeURIComponent(slug)}/qr?${new URLSearchParams({ format, size: String(size) })}`;
  return (
    <figure class="qr">
      <img src={addressOf("svg", shownSize)} width={shownSize} height={shownSize} alt={texts.qrOf(name)} />
      <figcaption class="qr-tools">
        {(["svg", "png"] as const).map((format) => (
          <a key={format} class="button" href={addressOf(format, savedSize)} download={`${slug}.${format}`}>
            {texts.saveQr(format.toUpperCase())}
          </a>
        ))}
      </figcaption>
    </figure>
  );
}
