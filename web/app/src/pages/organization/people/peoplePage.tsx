import { may } from "../../../api/session.ts";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";

/** Who belongs to the organization, and who is invited to it. */
export function PeoplePage() {
  return (
    <>
      <Members />
      {may("admin") && <Invitations />}
    </>
  );
}
