// Receives a webhook, and refuses one that was changed. The test compiles and runs it outside the repository.
import { createTestSecret, signTestWebhook, verifyWebhook, WebhookError } from "@lookout/client/webhooks";

const secret = createTestSecret();
const { body, headers } = await signTestWebhook({ secret, event: "test" });
const { type } = await verifyWebhook({ body, headers, secret });
const error = await verifyWebhook({ body: `${body} `, headers, secret }).catch((thrown: unknown) => thrown);
if (!(error instanceof WebhookError)) throw new Error("a changed webhook was taken");
console.log(type, error.code);
