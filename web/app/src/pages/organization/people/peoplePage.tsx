import { useEffect } from "preact/hooks";
import { mayForAll, session } from "../../../api/session.ts";
import { loadWebsites } from "../../../api/websites.ts";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";

/** Who belongs to the organization, and who is invited to it. */
export function PeoplePage() {
  const organizationId = session.value?.organizationId;
  // For the names of websites that people are limited to.
  useEffect(() => void loadWebsites(), [organizationId]);
  return (
    <>
      <Members />
      {mayForAll("admin") && <Invitations />}
    </>
  );
}
