import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { may } from "../../../api/session.ts";
import { place } from "../../../router/router.ts";
import { Erasures } from "./erasures.tsx";
import { Exports } from "./exports.tsx";
import { ReceiptPage } from "./receiptPage.tsx";

/** Exports and erasures. With the id of an erasure as the fourth segment of the path: its receipt. */
export function DataPage({ website }: { readonly website: Website }) {
  const deletionId = place.value.segments[3];
  if (deletionId !== undefined) return <ReceiptPage key={deletionId} website={website} deletionId={deletionId} />;
  return (
    <>
      {may("export:data") && <Exports website={website} />}
      {may("delete:data") && <Erasures website={website} />}
    </>
  );
}
