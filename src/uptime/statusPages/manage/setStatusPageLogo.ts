import { createHash } from "node:crypto";
import type { SetStatusPageLogoReply } from "../../../gen/lookout/services.ts";
import type { SetStatusPageLogoRequest } from "../../../gen/lookout/v1/status_page_pb.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";
import type { UptimeCall } from "../../uptimeCall.ts";
import { reencode } from "../logo/reencode.ts";
import { findStatusPage } from "./findStatusPage.ts";
import { type Logo, statusPageMessage } from "./statusPage.ts";
import { updateLockedPage } from "./updateLockedPage.ts";

/** POST /uptime/status-pages/logo: an empty picture removes the one that there is. Rejects with VALIDATION_ERROR and NOT_FOUND. */
export async function setStatusPageLogo(
  { id, image }: SetStatusPageLogoRequest,
  call: UptimeCall,
): Promise<SetStatusPageLogoReply> {
  const { postgres, config, statusPages } = call.app;
  // The caller is known to be allowed before a picture is read, which takes a processor a while.
  await findStatusPage(postgres, id, call);
  const made = image.length === 0 ? undefined : await reencode(image);
  const logo: Logo | null =
    made === undefined ? null : { name: logoName(made.image), width: made.width, height: made.height };
  const page = await inTransaction(postgres, async (client) => {
    const before = await findStatusPage(client, id, call, true);
    await client.query("DELETE FROM status_page_logos WHERE page_id = $1", [before.id]);
    if (made !== undefined && logo !== null)
      await client.query("INSERT INTO status_page_logos (page_id, name, image) VALUES ($1, $2, $3)", [
        before.id,
        logo.name,
        Buffer.from(made.image),
      ]);
    const columns = { logo: logo === null ? null : JSON.stringify(logo) };
    return await updateLockedPage(client, before, columns, call);
  });
  statusPages.forget(page.slug);
  return { page: statusPageMessage(page, config.server.baseUrl) };
}

/** A picture's address below /status/. It changes with the picture, and has a dot, as no slug has. */
function logoName(image: Uint8Array): string {
  return `logo-${createHash("sha256").update(image).digest("hex").slice(0, 32)}.webp`;
}
