-- What each table and column holds, for whoever reads them with SQL. A column without a comment fails the build; one that
-- begins with 'Secret.' is not readable for read-only roles. Times are timestamps with time zone.

COMMENT ON TABLE delivery_t IS
  'Replies that were delivered or given up; a second record of one is ignored.';
COMMENT ON COLUMN delivery_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN delivery_t.reply_id IS 'Id of the reply, or of the turn whose final reply it shows.';
COMMENT ON COLUMN delivery_t.bot IS 'Name of the bot.';
COMMENT ON COLUMN delivery_t.chat IS 'Id of the chat on its channel.';
COMMENT ON COLUMN delivery_t.state IS 'What became of the reply: delivered, failed.';
COMMENT ON COLUMN delivery_t.detail IS 'Why the last attempt failed.';
COMMENT ON COLUMN delivery_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN delivery_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN delivery_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN delivery_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE sent_message_t IS
  'Messages of a channel that show a piece of a reply. A row without message is in doubt after a crash.';
COMMENT ON COLUMN sent_message_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN sent_message_t.reply_id IS 'Id of the reply, or of the turn whose final reply it shows.';
COMMENT ON COLUMN sent_message_t.idx IS 'Number of the piece of the reply, from 0.';
COMMENT ON COLUMN sent_message_t.bot IS 'Name of the bot.';
COMMENT ON COLUMN sent_message_t.chat IS 'Id of the chat on its channel.';
COMMENT ON COLUMN sent_message_t.topic IS 'Thread in the chat; null for none, and in rows before 0.2.0.';
COMMENT ON COLUMN sent_message_t.turn_id IS 'Id of the turn of the reply; null in rows before 0.2.0.';
COMMENT ON COLUMN sent_message_t.message IS 'Id of the message on its channel; null while it is in doubt.';
COMMENT ON COLUMN sent_message_t.moved_from IS
  'Turn whose final reply the message was going to show, where it shows another now.';
COMMENT ON COLUMN sent_message_t.failure IS
  'Why the message did not arrive, as its channel reported after accepting it; null otherwise.';
COMMENT ON COLUMN sent_message_t.in_doubt IS 'Whether it is unknown if the message was sent.';
COMMENT ON COLUMN sent_message_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN sent_message_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN sent_message_t.update_ts IS 'Time of the last change; of the first attempt while the message is in doubt.';
COMMENT ON COLUMN sent_message_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE chat_t IS
  'Chats that a bot knows, and whether it can write there.';
COMMENT ON COLUMN chat_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN chat_t.bot IS 'Name of the bot.';
COMMENT ON COLUMN chat_t.chat IS 'Id of the chat on its channel.';
COMMENT ON COLUMN chat_t.writable IS 'Whether the bot can write to the chat.';
COMMENT ON COLUMN chat_t.session_chat IS 'Id of the chat in keys of sessions, where it is another.';
COMMENT ON COLUMN chat_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN chat_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN chat_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN chat_t.update_user IS 'Id of the person, or name of the service, that made the last change.';
COMMENT ON COLUMN chat_t.seen IS 'Id of the newest message that was seen.';
COMMENT ON COLUMN chat_t.note IS 'What the channel has to know of the chat besides its id.';

COMMENT ON TABLE bot_t IS
  'Instance that owns a bot, and what an operator has to mend before it works.';
COMMENT ON COLUMN bot_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN bot_t.bot IS 'Name of the bot.';
COMMENT ON COLUMN bot_t.owner IS 'Instance that owns the bot, or for a session its owner with kind and name.';
COMMENT ON COLUMN bot_t.owned_ts IS 'Time since which the instance owns the bot.';
COMMENT ON COLUMN bot_t.problem IS 'What an operator has to mend, or null.';
COMMENT ON COLUMN bot_t.problem_ts IS 'Time since which the problem exists.';
COMMENT ON COLUMN bot_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN bot_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN bot_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN bot_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE person_t IS
  'People who may talk to a bot, and those who wait with a code.';
COMMENT ON COLUMN person_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN person_t.bot IS 'Name of the bot.';
COMMENT ON COLUMN person_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN person_t.name IS 'Name.';
COMMENT ON COLUMN person_t.state IS 'Whether the person may talk to the bot: waiting, allowed.';
COMMENT ON COLUMN person_t.code_sha256 IS 'Secret. SHA-256 of the code.';
COMMENT ON COLUMN person_t.until IS 'Time at which it ends.';
COMMENT ON COLUMN person_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN person_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN person_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN person_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE channel_link_t IS
  'Accounts of people on a channel, proved on both sides.';
COMMENT ON COLUMN channel_link_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN channel_link_t.link_id IS 'Id of the link.';
COMMENT ON COLUMN channel_link_t.bot IS 'Name of the bot.';
COMMENT ON COLUMN channel_link_t.channel_user IS 'Id of the person on the channel.';
COMMENT ON COLUMN channel_link_t.name IS 'Name.';
COMMENT ON COLUMN channel_link_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN channel_link_t.code_sha256 IS 'Secret. SHA-256 of the code by which the account was proved.';
COMMENT ON COLUMN channel_link_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN channel_link_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN channel_link_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN channel_link_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE link_code_t IS
  'Codes by which an account can be linked, one for each account.';
COMMENT ON COLUMN link_code_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN link_code_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN link_code_t.code_sha256 IS 'Secret. SHA-256 of the code.';
COMMENT ON COLUMN link_code_t.until IS 'Time at which it ends.';
COMMENT ON COLUMN link_code_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN link_code_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN link_code_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN link_code_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE task_message_t IS
  'Messages that ask somebody about a task of a workflow; active as long as it may be answered.';
COMMENT ON COLUMN task_message_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN task_message_t.reply_id IS 'Id of the reply, or of the turn whose final reply it shows.';
COMMENT ON COLUMN task_message_t.task_id IS 'Id of the task.';
COMMENT ON COLUMN task_message_t.bot IS 'Name of the bot.';
COMMENT ON COLUMN task_message_t.chat IS 'Id of the chat on its channel.';
COMMENT ON COLUMN task_message_t.user_id IS 'Id of the person; null where there is none.';
COMMENT ON COLUMN task_message_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN task_message_t.project_key IS 'Name of the project; the first part of record keys.';
COMMENT ON COLUMN task_message_t.process_id IS 'Id of the process.';
COMMENT ON COLUMN task_message_t.task_order IS 'Number of the run of the task in its process.';
COMMENT ON COLUMN task_message_t.question IS 'Question.';
COMMENT ON COLUMN task_message_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN task_message_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN task_message_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN task_message_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN task_message_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE project_bot_t IS
  'Bots that people of a project have made. The name of a bot stays its project''s.';
COMMENT ON COLUMN project_bot_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN project_bot_t.bot_id IS 'Id of the bot.';
COMMENT ON COLUMN project_bot_t.bot IS 'Name of the bot.';
COMMENT ON COLUMN project_bot_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN project_bot_t.project_key IS 'Name of the project; the first part of record keys.';
COMMENT ON COLUMN project_bot_t.kind IS 'Kind of channel: telegram, webhook.';
COMMENT ON COLUMN project_bot_t.settings IS 'Settings as JSON.';
COMMENT ON COLUMN project_bot_t.account IS 'Id of the channel''s account that the bot''s token belongs to.';
COMMENT ON COLUMN project_bot_t.sealed IS 'Secret. Token or signing secret of the bot, sealed by the master key.';
COMMENT ON COLUMN project_bot_t.master_key_id IS 'Id of the master key that sealed the secret.';
COMMENT ON COLUMN project_bot_t.last4 IS 'Last four characters of the secret, to recognise it.';
COMMENT ON COLUMN project_bot_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN project_bot_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN project_bot_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN project_bot_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN project_bot_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE event_hook_t IS
  'Webhooks: where a project wants its events sent to.';
COMMENT ON COLUMN event_hook_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN event_hook_t.hook_id IS 'Id of the webhook.';
COMMENT ON COLUMN event_hook_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN event_hook_t.url IS 'Address to which events are sent.';
COMMENT ON COLUMN event_hook_t.description IS 'Description.';
COMMENT ON COLUMN event_hook_t.events IS 'Types of events to send, with commas between; * for all.';
COMMENT ON COLUMN event_hook_t.sealed IS 'Secret. Secret that signs deliveries, sealed by the master key.';
COMMENT ON COLUMN event_hook_t.master_key_id IS 'Id of the master key that sealed the secret.';
COMMENT ON COLUMN event_hook_t.old_sealed IS 'Secret. Former secret, sealed; it signs as well until old_until_ts.';
COMMENT ON COLUMN event_hook_t.old_master_key_id IS 'Id of the master key that sealed the former secret.';
COMMENT ON COLUMN event_hook_t.old_until_ts IS 'Time until which the former secret signs.';
COMMENT ON COLUMN event_hook_t.enabled IS 'Whether events are sent.';
COMMENT ON COLUMN event_hook_t.problem IS 'What an operator has to mend, or null.';
COMMENT ON COLUMN event_hook_t.failures IS 'Number of failures in a row.';
COMMENT ON COLUMN event_hook_t.failing_ts IS 'Time since which attempts have failed, or null.';
COMMENT ON COLUMN event_hook_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN event_hook_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN event_hook_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN event_hook_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN event_hook_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE hook_delivery_t IS
  'Events for webhooks: each waits until it is due, and is delivered or given up.';
COMMENT ON COLUMN hook_delivery_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN hook_delivery_t.delivery_id IS 'Id of the delivery.';
COMMENT ON COLUMN hook_delivery_t.hook_id IS 'Id of the webhook.';
COMMENT ON COLUMN hook_delivery_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN hook_delivery_t.event IS 'Type of the event.';
COMMENT ON COLUMN hook_delivery_t.session IS 'Key of the session that the event is of, or null.';
COMMENT ON COLUMN hook_delivery_t.body IS 'Definition or event as JSON, checked and with its defaults.';
COMMENT ON COLUMN hook_delivery_t.state IS 'What became of the event: waiting, delivered, failed.';
COMMENT ON COLUMN hook_delivery_t.attempts IS 'Number of attempts so far.';
COMMENT ON COLUMN hook_delivery_t.due_ts IS 'Time of the next attempt.';
COMMENT ON COLUMN hook_delivery_t.status IS 'HTTP status that answered the last attempt, or null.';
COMMENT ON COLUMN hook_delivery_t.detail IS 'Why the last attempt failed.';
COMMENT ON COLUMN hook_delivery_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN hook_delivery_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN hook_delivery_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN hook_delivery_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN hook_delivery_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE openai_response_t IS
  'Responses of OpenAI''s protocol: which turn each is, what its client sent, and what it became.';
COMMENT ON COLUMN openai_response_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN openai_response_t.response_id IS 'Id of the response.';
COMMENT ON COLUMN openai_response_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN openai_response_t.session IS 'Key of the session, without the project.';
COMMENT ON COLUMN openai_response_t.turn_id IS 'Id of the turn; null where the row belongs to no turn.';
COMMENT ON COLUMN openai_response_t.turn_seq IS 'Number of the turn in its session; 0 where unknown.';
COMMENT ON COLUMN openai_response_t.first_step IS
  'Number of the first model call of the response in its turn; above 0 after function calls.';
COMMENT ON COLUMN openai_response_t.user_id IS 'Id of the person who sent it, and may read it.';
COMMENT ON COLUMN openai_response_t.spent IS
  'Usage of the turn before the response as JSON; null for none, or where unknown.';
COMMENT ON COLUMN openai_response_t.previous_id IS 'Id of the response that it continues, or null.';
COMMENT ON COLUMN openai_response_t.conversation IS 'Conversation, as the request named it, or null.';
COMMENT ON COLUMN openai_response_t.request IS 'Request without its input, as JSON.';
COMMENT ON COLUMN openai_response_t.input IS 'Input as items, as JSON; null where it is larger than 1 MiB.';
COMMENT ON COLUMN openai_response_t.context IS 'Digest of the conversation up to its input.';
COMMENT ON COLUMN openai_response_t.result IS 'The response at its end as JSON; null until then.';
COMMENT ON COLUMN openai_response_t.pieces IS 'Lengths of the pieces of its texts as they were streamed, as JSON.';
COMMENT ON COLUMN openai_response_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN openai_response_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN openai_response_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN openai_response_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN openai_response_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE openai_call_t IS
  'Function calls that were handed to a client of OpenAI''s protocol.';
COMMENT ON COLUMN openai_call_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN openai_call_t.call_id IS 'Id of the call; the same in all attempts.';
COMMENT ON COLUMN openai_call_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN openai_call_t.session IS 'Key of the session, without the project.';
COMMENT ON COLUMN openai_call_t.turn_id IS 'Id of the turn; null where the row belongs to no turn.';
COMMENT ON COLUMN openai_call_t.step IS 'Number of the model call that made it.';
COMMENT ON COLUMN openai_call_t.usage IS 'Usage of the turn up to the call as JSON; null where unknown.';
COMMENT ON COLUMN openai_call_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN openai_call_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN openai_call_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN openai_call_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN openai_call_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE openai_conversation_t IS
  'Conversations of OpenAI''s protocol.';
COMMENT ON COLUMN openai_conversation_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN openai_conversation_t.conversation_id IS 'Id of the conversation.';
COMMENT ON COLUMN openai_conversation_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN openai_conversation_t.user_id IS 'Id of the person who made it, and may use it.';
COMMENT ON COLUMN openai_conversation_t.session IS 'Key of the session that knows all items; null where none does.';
COMMENT ON COLUMN openai_conversation_t.metadata IS 'Further properties as JSON.';
COMMENT ON COLUMN openai_conversation_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN openai_conversation_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN openai_conversation_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN openai_conversation_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN openai_conversation_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE openai_item_t IS
  'Items of conversations of OpenAI''s protocol, in the order in which they were added.';
COMMENT ON COLUMN openai_item_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN openai_item_t.conversation_id IS 'Id of the conversation.';
COMMENT ON COLUMN openai_item_t.item_id IS 'Id of the item.';
COMMENT ON COLUMN openai_item_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN openai_item_t.position IS 'Number that orders the rows.';
COMMENT ON COLUMN openai_item_t.item IS 'The item as JSON.';
COMMENT ON COLUMN openai_item_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN openai_item_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN openai_item_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN openai_item_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN openai_item_t.update_user IS 'Id of the person, or name of the service, that made the last change.';
