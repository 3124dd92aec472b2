-- Up Migration
-- The keys that secrets are encrypted with (src/secrets), each encrypted with every key of the operator that may open it.
CREATE TABLE secret_keys (
  id text NOT NULL,
  -- the higher, the newer; new secrets get the newest
  number bigint NOT NULL,
  -- which key of the operator opens it
  wrapped_by text NOT NULL,
  wrapped text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id, wrapped_by)
);
CREATE SEQUENCE secret_key_numbers;

-- One row at most: the key of a service without AUTH_SECRET and SECRETS_KEY_COMMAND. It protects nothing from who reads this database.
CREATE TABLE generated_keys (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  secret text NOT NULL
);

-- The API encrypts the secrets of earlier versions at its start (src/secrets/prepareSecrets.ts).
ALTER TABLE monitors
  -- address, headers and body of the checks; null: not encrypted yet, then url and options have them
  ADD COLUMN secrets text,
  -- the address without its query
  ADD COLUMN shown_url text;
-- A worker of an earlier version must not check an address without its query and headers: it cannot read an empty one, and goes on with
-- the settings it knows.
ALTER TABLE monitors ALTER COLUMN url SET DEFAULT '';
ALTER TABLE export_secrets ALTER COLUMN secret TYPE text USING encode(secret, 'base64');
