-- JSON of processes and tasks can be queried as JSON: input_data->>'who'. The type json keeps every text as it was written, with the
-- digits of its numbers and the order of its members, which jsonb does not.
ALTER TABLE process_info_t
  ALTER COLUMN business DROP DEFAULT,
  ALTER COLUMN input_data TYPE json USING input_data::json,
  ALTER COLUMN context_data TYPE json USING context_data::json,
  ALTER COLUMN output_data TYPE json USING output_data::json,
  ALTER COLUMN error_info TYPE json USING error_info::json,
  ALTER COLUMN business TYPE json USING business::json,
  ALTER COLUMN business SET DEFAULT '{}';
ALTER TABLE task_info_t
  ALTER COLUMN question TYPE json USING question::json,
  ALTER COLUMN task_input TYPE json USING task_input::json,
  ALTER COLUMN task_output TYPE json USING task_output::json,
  ALTER COLUMN error_info TYPE json USING error_info::json;
