-- Up Migration
-- What calls with an idempotency key have answered; kept for 24 hours.
CREATE TABLE idempotency_keys (
  -- A hash of caller, call and key.
  id text PRIMARY KEY,
  -- A hash of the request, and the answer, encrypted: it may show a secret that is shown once.
  answer text NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX idempotency_keys_kept_at ON idempotency_keys (kept_at);
