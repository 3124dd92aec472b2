-- Up Migration
-- What visitors should achieve, as dashboards show it: {goals: [{kind, value}], funnel: [{kind, value}]}
ALTER TABLE websites ADD COLUMN goals jsonb NOT NULL DEFAULT '{"goals": [], "funnel": []}';
