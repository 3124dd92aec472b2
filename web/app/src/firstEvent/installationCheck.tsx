import { useSignal } from "@preact/signals";
import type {
  CheckInstallationResponse,
  Website,
} from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { WebsiteService } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../api/client.ts";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { Field, Form } from "../ui/form.tsx";
import { checkSentence } from "./checkSentence.ts";

const client = clientOf(WebsiteService);

/** Has the service look at a page of the website, and says what keeps its visits from being counted. */
export function InstallationCheck({ website }: { readonly website: Website }) {
  const { firstEvent } = allTexts();
  const found = useSignal<CheckInstallationResponse | undefined>(undefined);
  return (
    <div class="guide-check">
      <Form
        submit={firstEvent.check}
        errorTexts={{ VALIDATION_ERROR: firstEvent.checkOtherDomain(website.domain) }}
        onSubmit={async (value) => {
          found.value = undefined;
          found.value = await client.checkInstallation({ id: website.id, url: value("url").trim() });
        }}
      >
        <Field
          name="url"
          type="url"
          label={firstEvent.checkedPage}
          value={`https://${website.domain}/`}
          maxLength={2_048}
        />
      </Form>
      <div role="status">
        {found.value !== undefined && (
          <p
            class={found.value.result === "ready" ? "notice notice-good" : "notice notice-bad"}
            data-result={found.value.result}
          >
            {checkSentence(found.value, firstEvent.checkResults)}
          </p>
        )}
      </div>
    </div>
  );
}
