import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import {
  createWebhookSecret,
  webhookHeaders,
} from "../../../src/uptime/notifications/channels/kinds/webhookSignature.ts";

test("Standard Webhooks 1.0: the signature of the specification's own example", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  expect(webhookHeaders(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330_999, '{"test": 2432232314}')).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("Standard Webhooks 1.0: a secret is whsec_ and 24 to 64 random bytes", () => {
  const secret = createWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+={0,2}$/);
  expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  expect(createWebhookSecret()).not.toBe(secret);
});

test("Standard Webhooks 1.0: the reference library accepts a message, and refuses a changed one", () => {
  const secret = createWebhookSecret();
  const body = JSON.stringify({ type: "test", text: "Grüße €" });
  const headers = webhookHeaders(secret, "msg_1", Date.now(), body);
  const receiver = new Webhook(secret);
  expect(receiver.verify(body, headers)).toEqual({ type: "test", text: "Grüße €" });
  expect(() => receiver.verify(body.replace("€", "$"), headers)).toThrow();
  expect(() => receiver.verify(body, { ...headers, "webhook-id": "msg_2" })).toThrow();
});
