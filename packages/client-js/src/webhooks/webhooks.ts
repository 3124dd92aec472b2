export * from "./events.ts";
export { createTestSecret, signTestWebhook, type TestWebhook } from "./signTestWebhook.ts";
export {
  type ReceivedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
} from "./verifyWebhook.ts";
