-- Up Migration
-- null: all websites of the organization, and all scopes of the role. Owners are limited to nothing.
ALTER TABLE members ADD COLUMN website_ids text[], ADD COLUMN scopes text[],
  ADD CONSTRAINT members_limits CHECK (
    (website_ids IS NULL OR (website_ids <> '{}' AND role <> 'owner')) AND (scopes IS NULL OR (scopes <> '{}' AND website_ids IS NOT NULL))
  );
ALTER TABLE invitations ADD COLUMN website_ids text[], ADD COLUMN scopes text[],
  ADD CONSTRAINT invitations_limits CHECK (
    (website_ids IS NULL OR (website_ids <> '{}' AND role <> 'owner')) AND (scopes IS NULL OR (scopes <> '{}' AND website_ids IS NOT NULL))
  );
