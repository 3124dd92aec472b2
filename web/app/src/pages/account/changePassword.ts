import { AuthService } from "../../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { clientOf } from "../../api/client.ts";
import { loadSession, typedPassword } from "../../api/session.ts";

const auth = clientOf(AuthService);

/** Changes the person's password, which ends all other sessions. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await auth.changePassword({ currentPassword, newPassword });
  typedPassword.value = undefined;
  await loadSession();
}
