-- Up Migration
-- Several funnels by name: {goals: […], funnel: […], funnels: [{name, steps}]}. `funnel` stays the steps of the first one, which processes of the version
-- before read.
ALTER TABLE websites ALTER COLUMN goals SET DEFAULT '{"goals": [], "funnel": [], "funnels": []}';
UPDATE websites
SET goals = goals || jsonb_build_object('funnels', CASE
  WHEN jsonb_array_length(goals -> 'funnel') > 0
    THEN jsonb_build_array(jsonb_build_object('name', 'Funnel', 'steps', goals -> 'funnel'))
  ELSE '[]'::jsonb END)
WHERE NOT goals ? 'funnels';
