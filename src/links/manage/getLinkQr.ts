import { limitOpenCall } from "../../access/rateLimit/limitCall.ts";
import type { GetLinkQrReply } from "../../gen/lookout/services.ts";
import type { GetLinkQrRequest } from "../../gen/lookout/v1/links_pb.ts";
import { findLiveLink } from "../follow/followLink.ts";
import { shortUrlOf } from "../link.ts";
import type { LinkCall } from "../linkCall.ts";

const defaultSize = 256;

/** The quiet zone of the standard around the code, in modules (ISO/IEC 18004). */
const margin = 4;

/**
 * GET /l/{slug}/qr: the link's address as a QR code that stays readable with a quarter of it damaged (level Q). Rejects
 * with NOT_FOUND and RATE_LIMIT_EXCEEDED.
 */
export async function* getLinkQr(
  { slug, format, size = defaultSize }: GetLinkQrRequest,
  call: LinkCall,
): AsyncGenerator<GetLinkQrReply> {
  limitOpenCall(call);
  const link = await findLiveLink(slug, call);
  const address = shortUrlOf(link, call.app.config.server.baseUrl);
  const options = { errorCorrectionLevel: "Q", margin, width: size } as const;
  call.setHeader("content-disposition", "inline");
  call.setHeader("cache-control", `public, max-age=${maxAgeSeconds}`);
  // An SVG opened on its own is a document; this one runs and loads nothing.
  call.setHeader("content-security-policy", "default-src 'none'");
  // Loaded with the first code: it takes 7 MB.
  const { default: QRCode } = await import("qrcode");
  if (format === "png") {
    const data = await QRCode.toBuffer(address, { ...options, type: "png" });
    yield { contentType: "image/png", fileName: `${link.slug}.png`, data };
  } else {
    const text = await QRCode.toString(address, { ...options, type: "svg" });
    yield { contentType: "image/svg+xml", fileName: `${link.slug}.svg`, data: Buffer.from(text) };
  }
}

/** The image stays right as long as the slug does. */
const maxAgeSeconds = 300;
