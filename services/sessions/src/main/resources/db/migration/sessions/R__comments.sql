-- What each table and column holds, for whoever reads them with SQL. A column without a comment fails the build; one that
-- begins with 'Secret.' is not readable for read-only roles. Times are timestamps with time zone.

COMMENT ON TABLE host_t IS
  'Tenants, as events name them.';
COMMENT ON COLUMN host_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN host_t.name IS 'Name.';
COMMENT ON COLUMN host_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN host_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN host_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN host_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE project_t IS
  'Projects, as events name them.';
COMMENT ON COLUMN project_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN project_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN project_t.project_key IS 'Name of the project; the first part of record keys.';
COMMENT ON COLUMN project_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN project_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN project_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN project_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_session_t IS
  'Sessions, a row for each epoch of a session key.';
COMMENT ON COLUMN agent_session_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_session_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_session_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN agent_session_t.session_key IS
  'Key of the session in its project, such as telegram:648079060; empty once erased.';
COMMENT ON COLUMN agent_session_t.epoch IS
  'Number of the session under its key, from 0; each reset to a new session adds one.';
COMMENT ON COLUMN agent_session_t.slug IS 'Readable name, unique in the project.';
COMMENT ON COLUMN agent_session_t.parent_session_id IS
  'Session that delegated to this one or that this one was forked from, or null.';
COMMENT ON COLUMN agent_session_t.forked_from_turn IS
  'Turn of the parent session after which the session was forked, or null.';
COMMENT ON COLUMN agent_session_t.depth IS 'Depth of delegation: 0 for a session of a person.';
COMMENT ON COLUMN agent_session_t.channel IS
  'Channel that opened the session: telegram, slack, discord, whatsapp, teams, web, api and others.';
COMMENT ON COLUMN agent_session_t.channel_id IS 'Id of the conversation on its channel, or null.';
COMMENT ON COLUMN agent_session_t.user_id IS 'Id of the person who opened the session, or null.';
COMMENT ON COLUMN agent_session_t.agent IS 'Name of the agent.';
COMMENT ON COLUMN agent_session_t.bank_id IS 'Bank that retains its turns, or null.';
COMMENT ON COLUMN agent_session_t.title IS 'Title.';
COMMENT ON COLUMN agent_session_t.title_given IS 'Whether a person gave the title.';
COMMENT ON COLUMN agent_session_t.status IS 'Status of the session: active, archived, deleted.';
COMMENT ON COLUMN agent_session_t.settings IS 'Settings as JSON.';
COMMENT ON COLUMN agent_session_t.permissions IS 'Rights or rules as JSON.';
COMMENT ON COLUMN agent_session_t.provider_id IS 'Name of the model''s provider.';
COMMENT ON COLUMN agent_session_t.model_id IS 'Name of the model at its provider.';
COMMENT ON COLUMN agent_session_t.summary IS 'Summary of the turns up to summary_up_to, or null.';
COMMENT ON COLUMN agent_session_t.summary_up_to IS 'Number of the last turn that the summary covers.';
COMMENT ON COLUMN agent_session_t.next_turn_seq IS 'Number that the next turn gets.';
COMMENT ON COLUMN agent_session_t.active_turn_id IS 'Turn that is running, or null.';
COMMENT ON COLUMN agent_session_t.message_count IS 'Number of messages.';
COMMENT ON COLUMN agent_session_t.total_cost IS
  'Cost of all messages in US dollars; those of unpriced_count are missing.';
COMMENT ON COLUMN agent_session_t.unpriced_count IS 'Number of messages whose cost is unknown; total_cost lacks them.';
COMMENT ON COLUMN agent_session_t.total_tokens_input IS 'Input tokens of all messages.';
COMMENT ON COLUMN agent_session_t.total_tokens_output IS 'Output tokens of all messages.';
COMMENT ON COLUMN agent_session_t.total_tokens_reasoning IS
  'Reasoning tokens of all messages, included in the output tokens.';
COMMENT ON COLUMN agent_session_t.total_tokens_cache_read IS 'Input tokens of all messages read from caches.';
COMMENT ON COLUMN agent_session_t.total_tokens_cache_write IS 'Input tokens of all messages written to caches.';
COMMENT ON COLUMN agent_session_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN agent_session_t.archived_ts IS 'Time of archiving; null while in use.';
COMMENT ON COLUMN agent_session_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_session_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_session_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_session_t.update_user IS 'Id of the person, or name of the service, that made the last change.';
COMMENT ON COLUMN agent_session_t.owner IS
  'Kind and name of the owner, such as person {user id} or bot {name}; empty before 0.2.0.';

COMMENT ON TABLE agent_turn_t IS
  'Turns: one message of a user and the agent''s final reply.';
COMMENT ON COLUMN agent_turn_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_turn_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_turn_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN agent_turn_t.turn_id IS 'Id of the turn; null where the row belongs to no turn.';
COMMENT ON COLUMN agent_turn_t.turn_seq IS 'Number of the turn in its session, from 1.';
COMMENT ON COLUMN agent_turn_t.origin IS 'Source of the turn: channel, api, workflow, schedule, delegate.';
COMMENT ON COLUMN agent_turn_t.origin_ref IS 'Reference at the source, such as the id of the message.';
COMMENT ON COLUMN agent_turn_t.mode IS
  'What happens if a turn runs already: followup, steer, collect, interrupt, reject.';
COMMENT ON COLUMN agent_turn_t.agent IS 'Name of the agent.';
COMMENT ON COLUMN agent_turn_t.agent_version IS
  'Version of the agent''s definition, or null for agents without versions.';
COMMENT ON COLUMN agent_turn_t.user_id IS 'Id of the person who sent the message, or null.';
COMMENT ON COLUMN agent_turn_t.user_message IS 'Text of the user''s message.';
COMMENT ON COLUMN agent_turn_t.reply IS 'Final reply; null while the turn is open.';
COMMENT ON COLUMN agent_turn_t.state IS
  'State of the turn: QUEUED, RUNNING_MODEL, WAITING_TOOL, WAITING_APPROVAL, WAITING_CHILD, WAITING_HISTORY, COMPLETED, FAILED, CANCELLED.';
COMMENT ON COLUMN agent_turn_t.finish_reason IS
  'Reason for the end of the model''s output: stop, tool-calls, length, error, content-filter, cancelled, unknown.';
COMMENT ON COLUMN agent_turn_t.error_type IS 'Kind of error, or null.';
COMMENT ON COLUMN agent_turn_t.error_message IS 'Error in words that may be shown in a chat.';
COMMENT ON COLUMN agent_turn_t.error_detail IS 'Details of the error for operators.';
COMMENT ON COLUMN agent_turn_t.provider_id IS 'Name of the model''s provider.';
COMMENT ON COLUMN agent_turn_t.model_id IS 'Name of the model at its provider.';
COMMENT ON COLUMN agent_turn_t.guardrails IS
  'What guardrails did, as JSON: stage, step, guardrail, action, reason and time each.';
COMMENT ON COLUMN agent_turn_t.message_count IS 'Number of messages.';
COMMENT ON COLUMN agent_turn_t.open_tools IS 'Number of tool calls that are not finished.';
COMMENT ON COLUMN agent_turn_t.open_approvals IS 'Number of calls that wait for a person.';
COMMENT ON COLUMN agent_turn_t.open_children IS 'Number of delegated turns that run.';
COMMENT ON COLUMN agent_turn_t.tokens_input IS 'Input tokens.';
COMMENT ON COLUMN agent_turn_t.tokens_output IS 'Output tokens.';
COMMENT ON COLUMN agent_turn_t.tokens_reasoning IS 'Reasoning tokens; included in tokens_output.';
COMMENT ON COLUMN agent_turn_t.tokens_cache_read IS
  'Input tokens read from the provider''s cache; included in tokens_input.';
COMMENT ON COLUMN agent_turn_t.tokens_cache_write IS
  'Input tokens written to the provider''s cache; included in tokens_input.';
COMMENT ON COLUMN agent_turn_t.cost IS 'Cost of the turn in US dollars; null if the price of a call is unknown.';
COMMENT ON COLUMN agent_turn_t.start_position IS
  'Number of the event that started the turn; turns enter the model''s context in this order.';
COMMENT ON COLUMN agent_turn_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN agent_turn_t.started_ts IS 'Time of the start; null while queued.';
COMMENT ON COLUMN agent_turn_t.completed_ts IS 'Time of the end; null while open.';
COMMENT ON COLUMN agent_turn_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_turn_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_turn_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_turn_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE model_call_t IS
  'Answers and failures of models, a row for each attempt.';
COMMENT ON COLUMN model_call_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN model_call_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN model_call_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN model_call_t.call_id IS 'Id of the call; the same in all attempts.';
COMMENT ON COLUMN model_call_t.attempt IS 'Number of the attempt, from 1.';
COMMENT ON COLUMN model_call_t.turn_id IS 'Id of the turn; null for a summary.';
COMMENT ON COLUMN model_call_t.purpose IS 'What the call is for: reply, summary, transcript.';
COMMENT ON COLUMN model_call_t.step IS 'Number of the model call in its turn, from 0.';
COMMENT ON COLUMN model_call_t.provider_id IS 'Name of the model''s provider.';
COMMENT ON COLUMN model_call_t.model_id IS 'Name of the model at its provider.';
COMMENT ON COLUMN model_call_t.response_raw IS 'Response of the provider, byte for byte.';
COMMENT ON COLUMN model_call_t.response_sha256 IS 'SHA-256 of the response.';
COMMENT ON COLUMN model_call_t.finish_reason IS
  'Reason for the end of the model''s output: stop, tool-calls, length, error, content-filter, cancelled, unknown.';
COMMENT ON COLUMN model_call_t.error_type IS 'Kind of error, or null.';
COMMENT ON COLUMN model_call_t.error_detail IS 'Details of the error for operators.';
COMMENT ON COLUMN model_call_t.tokens_input IS 'Input tokens.';
COMMENT ON COLUMN model_call_t.tokens_output IS 'Output tokens.';
COMMENT ON COLUMN model_call_t.tokens_reasoning IS 'Reasoning tokens; included in tokens_output.';
COMMENT ON COLUMN model_call_t.tokens_cache_read IS
  'Input tokens read from the provider''s cache; included in tokens_input.';
COMMENT ON COLUMN model_call_t.tokens_cache_write IS
  'Input tokens written to the provider''s cache; included in tokens_input.';
COMMENT ON COLUMN model_call_t.cost IS
  'Cost in US dollars, fixed at the time of the call; null if the price is unknown, which is not zero.';
COMMENT ON COLUMN model_call_t.payer IS 'Who pays the call: agent, user, host, operator.';
COMMENT ON COLUMN model_call_t.credential_id IS 'Id of the stored model key.';
COMMENT ON COLUMN model_call_t.completed_ts IS 'Time of the end; null while open.';
COMMENT ON COLUMN model_call_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';

COMMENT ON TABLE agent_message_t IS
  'Messages of sessions, in the order of position and seq.';
COMMENT ON COLUMN agent_message_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_message_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_message_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN agent_message_t.message_id IS 'Id of the message.';
COMMENT ON COLUMN agent_message_t.turn_id IS 'Id of the turn; null where the row belongs to no turn.';
COMMENT ON COLUMN agent_message_t.seq IS 'Number inside the turn; -1 for the agent''s instructions.';
COMMENT ON COLUMN agent_message_t.position IS 'Number of the event that made the message.';
COMMENT ON COLUMN agent_message_t.role IS 'Role of the message: user, assistant, system, tool.';
COMMENT ON COLUMN agent_message_t.parent_id IS 'User message that an assistant message answers.';
COMMENT ON COLUMN agent_message_t.agent IS 'Name of the agent.';
COMMENT ON COLUMN agent_message_t.provider_id IS 'Name of the model''s provider.';
COMMENT ON COLUMN agent_message_t.model_id IS 'Name of the model at its provider.';
COMMENT ON COLUMN agent_message_t.interrupted IS 'Whether another message or a person interrupted it.';
COMMENT ON COLUMN agent_message_t.finish_reason IS
  'Reason for the end of the model''s output: stop, tool-calls, length, error, content-filter, cancelled, unknown.';
COMMENT ON COLUMN agent_message_t.error_type IS 'Kind of error, or null.';
COMMENT ON COLUMN agent_message_t.error_message IS 'Error in words that may be shown in a chat.';
COMMENT ON COLUMN agent_message_t.answered IS 'Whether a model answered; false before that and where none did.';
COMMENT ON COLUMN agent_message_t.part_count IS 'Number of parts.';
COMMENT ON COLUMN agent_message_t.open_tools IS 'Number of tool calls that are not finished.';
COMMENT ON COLUMN agent_message_t.tokens_input IS 'Input tokens.';
COMMENT ON COLUMN agent_message_t.tokens_output IS 'Output tokens.';
COMMENT ON COLUMN agent_message_t.tokens_reasoning IS 'Reasoning tokens; included in tokens_output.';
COMMENT ON COLUMN agent_message_t.tokens_cache_read IS
  'Input tokens read from the provider''s cache; included in tokens_input.';
COMMENT ON COLUMN agent_message_t.tokens_cache_write IS
  'Input tokens written to the provider''s cache; included in tokens_input.';
COMMENT ON COLUMN agent_message_t.cost IS
  'Cost in US dollars, fixed at the time of the call; null if the price is unknown, which is not zero.';
COMMENT ON COLUMN agent_message_t.cost_known IS 'Whether all of the cost is known.';
COMMENT ON COLUMN agent_message_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN agent_message_t.completed_ts IS 'Time of the end; null while open.';
COMMENT ON COLUMN agent_message_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_message_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_message_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_message_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_message_part_t IS
  'Parts of messages: text, reasoning, tool calls, files and others.';
COMMENT ON COLUMN agent_message_part_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_message_part_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_message_part_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN agent_message_part_t.part_id IS 'Id of the part.';
COMMENT ON COLUMN agent_message_part_t.message_id IS 'Id of the message.';
COMMENT ON COLUMN agent_message_part_t.idx IS 'Position, from 0.';
COMMENT ON COLUMN agent_message_part_t.kind IS
  'Kind of part: text, reasoning, tool, file, step-start, step-finish, patch, raw.';
COMMENT ON COLUMN agent_message_part_t.item_type IS 'Type of the item at the provider.';
COMMENT ON COLUMN agent_message_part_t.content IS 'Content as JSON, to be queried.';
COMMENT ON COLUMN agent_message_part_t.raw IS 'Item of the provider as text, sent back as it came.';
COMMENT ON COLUMN agent_message_part_t.raw_provider IS 'Provider of the item in raw.';
COMMENT ON COLUMN agent_message_part_t.tool_name IS 'Name of the tool.';
COMMENT ON COLUMN agent_message_part_t.tool_call_id IS 'Id of the tool call, as the model gave it.';
COMMENT ON COLUMN agent_message_part_t.tool_status IS 'Status of the tool call: pending, running, completed, error.';
COMMENT ON COLUMN agent_message_part_t.executed_by IS 'Who executes the call: parley, provider.';
COMMENT ON COLUMN agent_message_part_t.search_text IS 'Text to be found, with accents and case folded.';
COMMENT ON COLUMN agent_message_part_t.search IS 'Words of search_text for full-text search.';
COMMENT ON COLUMN agent_message_part_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN agent_message_part_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_message_part_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_message_part_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_message_part_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE tool_call_t IS
  'Tool calls that Parley carries out; those of a provider are in their part alone.';
COMMENT ON COLUMN tool_call_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN tool_call_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN tool_call_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN tool_call_t.call_id IS 'Id of the call; the same in all attempts.';
COMMENT ON COLUMN tool_call_t.turn_id IS 'Id of the turn; null where the row belongs to no turn.';
COMMENT ON COLUMN tool_call_t.part_id IS 'Id of the part.';
COMMENT ON COLUMN tool_call_t.step IS 'Number of the model call in its turn, from 0.';
COMMENT ON COLUMN tool_call_t.idx IS 'Position, from 0.';
COMMENT ON COLUMN tool_call_t.attempt IS 'Number of the attempt, from 1.';
COMMENT ON COLUMN tool_call_t.tool_name IS 'Name of the tool.';
COMMENT ON COLUMN tool_call_t.child_key IS
  'Key of the session of the agent that carries out the call; null for other tools.';
COMMENT ON COLUMN tool_call_t.status IS 'Status of the call: running, completed, error.';
COMMENT ON COLUMN tool_call_t.unknown IS 'Whether the call ended without it being known if it was carried out.';
COMMENT ON COLUMN tool_call_t.subject IS 'What the call is about as rules see it, a value a line.';
COMMENT ON COLUMN tool_call_t.permission IS 'Decision of the rules: allow, ask, deny.';
COMMENT ON COLUMN tool_call_t.rule_id IS 'Id of the rule; in a call, of the one that decided.';
COMMENT ON COLUMN tool_call_t.approval_id IS 'Id of the question to a person; null without one.';
COMMENT ON COLUMN tool_call_t.approval IS
  'Question to a person: asked while it waits, else its answer; null without one: asked, once, session, project, host, reject, expired, withdrawn.';
COMMENT ON COLUMN tool_call_t.approval_reason IS 'Why a person was asked.';
COMMENT ON COLUMN tool_call_t.approval_until_ts IS 'Deadline of the answer; without one the call is denied then.';
COMMENT ON COLUMN tool_call_t.approval_user IS 'Id of the person who answered.';
COMMENT ON COLUMN tool_call_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN tool_call_t.completed_ts IS 'Time of the end; null while open.';
COMMENT ON COLUMN tool_call_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN tool_call_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN tool_call_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN tool_call_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE session_event_t IS
  'What changed the model''s context besides messages: resets, summaries, reverts.';
COMMENT ON COLUMN session_event_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN session_event_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN session_event_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN session_event_t.seq IS 'Number that orders the rows.';
COMMENT ON COLUMN session_event_t.kind IS
  'Kind of change: clear, forget, mark, rewind, undo, revert, unrevert, seed, summary.';
COMMENT ON COLUMN session_event_t.label IS 'Name of the mark, or the summary.';
COMMENT ON COLUMN session_event_t.turn_seq IS 'Last turn that the summary covers, or first turn that was taken back.';
COMMENT ON COLUMN session_event_t.since IS
  'Number of the event from which on all that was taken back was brought back.';
COMMENT ON COLUMN session_event_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN session_event_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';

COMMENT ON TABLE session_file_t IS
  'Files that events of a session name.';
COMMENT ON COLUMN session_file_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN session_file_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN session_file_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN session_file_t.sha256 IS 'SHA-256 of the bytes.';
COMMENT ON COLUMN session_file_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';

COMMENT ON TABLE todo_t IS
  'Todos of the agent, the newest list of each session.';
COMMENT ON COLUMN todo_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN todo_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN todo_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN todo_t.position IS 'Number that orders the rows.';
COMMENT ON COLUMN todo_t.content IS 'The todo.';
COMMENT ON COLUMN todo_t.active_form IS 'Content in the present progressive, shown while the todo is in progress.';
COMMENT ON COLUMN todo_t.status IS 'Status of the todo: pending, in_progress, completed.';
COMMENT ON COLUMN todo_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN todo_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN todo_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE handoff_t IS
  'Conversations that people answer, or are asked to answer, in the agent''s place.';
COMMENT ON COLUMN handoff_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN handoff_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN handoff_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN handoff_t.handoff_id IS 'Id of the handoff.';
COMMENT ON COLUMN handoff_t.status IS 'Status of the handoff: asked, taken, returned, expired, ended.';
COMMENT ON COLUMN handoff_t.asked_by IS 'The person for whom an operator is asked, or null.';
COMMENT ON COLUMN handoff_t.reason IS 'Why an operator is asked for; empty if unknown.';
COMMENT ON COLUMN handoff_t.operator_id IS 'Id of the operator, or null.';
COMMENT ON COLUMN handoff_t.operator_name IS 'Name of the operator, as shown in the conversation; empty without one.';
COMMENT ON COLUMN handoff_t.asked_ts IS 'When an operator was asked for, or took the conversation.';
COMMENT ON COLUMN handoff_t.taken_ts IS 'When the operator took it, or null.';
COMMENT ON COLUMN handoff_t.ended_ts IS 'When it ended, or null.';
COMMENT ON COLUMN handoff_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN handoff_t.active IS 'Whether the conversation waits for an operator, or has one.';
COMMENT ON COLUMN handoff_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN handoff_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE turn_feedback_t IS
  'Opinions of people about turns: one row a person and reaction, with their newest opinion.';
COMMENT ON COLUMN turn_feedback_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN turn_feedback_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN turn_feedback_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN turn_feedback_t.turn_id IS 'Id of the turn.';
COMMENT ON COLUMN turn_feedback_t.user_id IS
  'The person: an id, or kind of channel and id there for people without an account.';
COMMENT ON COLUMN turn_feedback_t.emoji IS 'Reaction that shows the opinion; empty for thumbs.';
COMMENT ON COLUMN turn_feedback_t.opinion IS 'The opinion: good, bad, other, withdrawn.';
COMMENT ON COLUMN turn_feedback_t.reason IS 'Reason that the person gives, or null.';
COMMENT ON COLUMN turn_feedback_t.given_ts IS 'Time of the opinion.';
COMMENT ON COLUMN turn_feedback_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN turn_feedback_t.active IS 'False once the person took the opinion back.';
COMMENT ON COLUMN turn_feedback_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN turn_feedback_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE agent_session_history_t IS
  'Conversation of the turns that have ended, compact and bounded.';
COMMENT ON COLUMN agent_session_history_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN agent_session_history_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN agent_session_history_t.bank_id IS 'Id of the memory bank.';
COMMENT ON COLUMN agent_session_history_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN agent_session_history_t.messages IS 'Messages as JSON.';
COMMENT ON COLUMN agent_session_history_t.metadata IS 'Further properties as JSON.';
COMMENT ON COLUMN agent_session_history_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN agent_session_history_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN agent_session_history_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN agent_session_history_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE projection_offset_t IS
  'Offset up to which the views of sessions are projected. It belongs to no host.';
COMMENT ON COLUMN projection_offset_t.topic IS 'Name of the topic.';
COMMENT ON COLUMN projection_offset_t."partition" IS 'Partition of the topic.';
COMMENT ON COLUMN projection_offset_t."offset" IS 'Offset of the next record to read.';

COMMENT ON TABLE session_slug_t IS
  'Slugs that sessions were given.';
COMMENT ON COLUMN session_slug_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN session_slug_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN session_slug_t.slug IS 'Readable name, unique in the project.';
COMMENT ON COLUMN session_slug_t.base IS 'Slug before a number was added to make it unique.';
COMMENT ON COLUMN session_slug_t.n IS 'Number that was added to the slug to make it unique.';
COMMENT ON COLUMN session_slug_t.session_id IS 'Id of the session.';

COMMENT ON TABLE erasure_t IS
  'Receipts: what is erased, and how far that is.';
COMMENT ON COLUMN erasure_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN erasure_t.erasure_id IS 'Id of the erasure; null where nothing is erased.';
COMMENT ON COLUMN erasure_t.parent_id IS 'Erasure that this one is part of, or null.';
COMMENT ON COLUMN erasure_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN erasure_t.kind IS 'What is erased: session, user, project, agent.';
COMMENT ON COLUMN erasure_t.subject IS 'Record key, id of the person, key of the project, or name of the agent.';
COMMENT ON COLUMN erasure_t.state IS 'How far the erasure is: asked, removed, done.';
COMMENT ON COLUMN erasure_t.seq IS 'Number that orders the rows.';
COMMENT ON COLUMN erasure_t.epoch IS
  'Number of the session under its key, from 0; each reset to a new session adds one.';
COMMENT ON COLUMN erasure_t.sessions IS 'Number of sessions.';
COMMENT ON COLUMN erasure_t.messages IS 'Number of messages.';
COMMENT ON COLUMN erasure_t.events IS 'Number of events, or for webhooks their types with commas between; * for all.';
COMMENT ON COLUMN erasure_t.files IS 'Number of files.';
COMMENT ON COLUMN erasure_t.requested_by IS 'Id of the person who asked for it.';
COMMENT ON COLUMN erasure_t.requested_ts IS 'Time of the request.';
COMMENT ON COLUMN erasure_t.done_ts IS 'Time at which it was done, or null.';
COMMENT ON COLUMN erasure_t.log_clean_ts IS 'Time at which the topics have no erased record any more.';
COMMENT ON COLUMN erasure_t.attempts IS 'Number of attempts so far.';
COMMENT ON COLUMN erasure_t.next_ts IS 'Time of the next attempt.';

COMMENT ON TABLE erasure_blob_t IS
  'Files that erased sessions named.';
COMMENT ON COLUMN erasure_blob_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN erasure_blob_t.erasure_id IS 'Id of the erasure; null where nothing is erased.';
COMMENT ON COLUMN erasure_blob_t.sha256 IS 'SHA-256 of the bytes.';

COMMENT ON TABLE erasure_service_t IS
  'Services that have removed what they kept of an erasure.';
COMMENT ON COLUMN erasure_service_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN erasure_service_t.erasure_id IS 'Id of the erasure; null where nothing is erased.';
COMMENT ON COLUMN erasure_service_t.service IS 'Name of the service.';
COMMENT ON COLUMN erasure_service_t.removed IS 'Number of things that the service removed.';
COMMENT ON COLUMN erasure_service_t.done_ts IS 'Time at which it was done, or null.';

COMMENT ON TABLE session_share_t IS
  'Links by which anybody may read one session.';
COMMENT ON COLUMN session_share_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN session_share_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN session_share_t.share_id IS 'Id of the link.';
COMMENT ON COLUMN session_share_t.project_key IS 'Name of the project; the first part of record keys.';
COMMENT ON COLUMN session_share_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN session_share_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN session_share_t.token_prefix IS 'First characters of the token, to recognise it.';
COMMENT ON COLUMN session_share_t.token_hash IS 'Secret. Digest of the link''s token.';
COMMENT ON COLUMN session_share_t.show_reasoning IS 'Whether the shared page shows reasoning.';
COMMENT ON COLUMN session_share_t.show_tool_outputs IS 'Whether the shared page shows results of tools.';
COMMENT ON COLUMN session_share_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN session_share_t.expires_ts IS 'Time at which it ends by itself; null for never.';
COMMENT ON COLUMN session_share_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN session_share_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN session_share_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN session_share_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON VIEW turn_v IS 'Turns with the key of their session.';
