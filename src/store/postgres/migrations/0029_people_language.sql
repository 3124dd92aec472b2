-- Up Migration
-- The language that a person chose, as a tag such as de; null until one was chosen. Mails are written in it.
ALTER TABLE users ADD COLUMN language text;
-- Whether the password is one that the service made. The web app then asks for another one.
ALTER TABLE users ADD COLUMN has_generated_password boolean NOT NULL DEFAULT false;
