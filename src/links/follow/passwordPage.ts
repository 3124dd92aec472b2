import { htmlPage } from "../../call/htmlPage.ts";
import { ApiError } from "../../errors/errors.ts";
import { html } from "../../text/html.ts";

/**
 * UNAUTHORIZED for a link with a password, with an HTML form for people. `hint` says what was wrong with the password
 * sent.
 */
export function passwordNeeded(hint?: string): ApiError {
  return new ApiError("UNAUTHORIZED", hint ?? 'This link needs a password. Send it as POST with {"password": "…"}', {
    page: passwordPage(hint),
  });
}

/** The form posts to the address of the page, so the page need not name the link. */
function passwordPage(hint: string | undefined): string {
  return htmlPage(
    "This link needs a password",
    html`${hint === undefined ? "" : html`<p role="alert">${hint}.</p>`}<form method="post">
      <p><input type="password" name="password" aria-label="Password" required autofocus autocomplete="off" maxlength="128"> <button>Open</button></p></form>`,
  );
}
