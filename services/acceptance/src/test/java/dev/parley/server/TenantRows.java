package dev.parley.server;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/** One row of each table, for a host and a project. */
final class TenantRows {
    /** {@code $h}, {@code $p} and {@code $i} are the host, the project and an id that no other pair of them has. */
    private static final List<String> ROWS = List.of(
            """
            INSERT INTO sessions.host_t (host_id, name) VALUES ($h, $h::text) ON CONFLICT DO NOTHING\
            """,
            """
            INSERT INTO sessions.project_t (host_id, project_id, project_key) VALUES ($h, $p, $p::text)\
            """,
            """
            INSERT INTO sessions.agent_session_t (host_id, project_id, session_id, session_key, epoch, slug, channel, agent, bank_id, title,
              title_given, status, created_ts, aggregate_version, update_ts, update_user)
            VALUES ($h, $p, $i, 'web:x', 0, 'x', 'web', 'default', $i, 'x', false, 'active', now(), 1, now(), 'x')\
            """,
            """
            INSERT INTO sessions.agent_turn_t (host_id, project_id, session_id, turn_id, turn_seq, origin, origin_ref, mode, agent,
              user_message, state, created_ts, aggregate_version, update_ts, update_user)
            VALUES ($h, $p, $i, $i, 1, 'api', 'x', 'followup', 'default', 'x', 'QUEUED', now(), 1, now(), 'x')\
            """,
            """
            INSERT INTO sessions.model_call_t (host_id, project_id, session_id, call_id, attempt, turn_id, purpose, step, finish_reason,
              completed_ts, aggregate_version)
            VALUES ($h, $p, $i, $i, 1, $i, 'reply', 0, 'stop', now(), 1)\
            """,
            """
            INSERT INTO sessions.agent_message_t (host_id, project_id, session_id, message_id, turn_id, seq, position, role, created_ts,
              aggregate_version, update_ts, update_user)
            VALUES ($h, $p, $i, $i, $i, 0, 1, 'user', now(), 1, now(), 'x')\
            """,
            """
            INSERT INTO sessions.agent_message_part_t (host_id, project_id, session_id, part_id, message_id, idx, kind, content, tool_status,
              executed_by, search_text, created_ts, aggregate_version, update_ts, update_user)
            VALUES ($h, $p, $i, $i, $i, 0, 'tool', '{}', 'pending', 'parley', 'zanzibar', now(), 1, now(), 'x')\
            """,
            """
            INSERT INTO sessions.tool_call_t (host_id, project_id, session_id, call_id, turn_id, part_id, step, idx, attempt, tool_name, status,
              created_ts, aggregate_version, update_ts, update_user)
            VALUES ($h, $p, $i, $i, $i, $i, 0, 0, 1, 'x', 'running', now(), 1, now(), 'x')\
            """,
            """
            INSERT INTO sessions.session_event_t (host_id, project_id, session_id, seq, kind, created_ts, aggregate_version)
            VALUES ($h, $p, $i, 1, 'clear', now(), 1)\
            """,
            """
            INSERT INTO sessions.session_file_t (host_id, project_id, session_id, sha256, aggregate_version)
            VALUES ($h, $p, $i, 'x', 1)\
            """,
            """
            INSERT INTO sessions.todo_t (host_id, project_id, session_id, position, content, active_form, status, aggregate_version,
              update_ts, update_user)
            VALUES ($h, $p, $i, 0, 'x', 'x', 'pending', 1, now(), 'x')\
            """,
            """
            INSERT INTO sessions.turn_feedback_t (host_id, project_id, session_id, turn_id, user_id, emoji, opinion, given_ts,
              aggregate_version, update_ts, update_user)
            VALUES ($h, $p, $i, $i, 'x', '', 'good', now(), 1, now(), 'x')\
            """,
            """
            INSERT INTO sessions.handoff_t (host_id, project_id, session_id, handoff_id, status, reason, operator_name, asked_ts,
              aggregate_version, update_ts, update_user)
            VALUES ($h, $p, $i, $i, 'asked', '', '', now(), 1, now(), 'x')\
            """,
            """
            INSERT INTO sessions.agent_session_history_t (host_id, project_id, bank_id, session_id, messages, metadata, aggregate_version,
              update_ts, update_user)
            VALUES ($h, $p, $i, $i, '[]', '{}', 1, now(), 'x')\
            """,
            """
            INSERT INTO sessions.session_slug_t (host_id, project_id, slug, base, n, session_id) VALUES ($h, $p, 'x', 'x', 1, $i)\
            """,
            """
            INSERT INTO sessions.erasure_t (host_id, erasure_id, project_id, kind, subject, state, requested_ts)
            VALUES ($h, $i, $p, 'session', 'x', 'asked', now())\
            """,
            """
            INSERT INTO sessions.erasure_blob_t (host_id, erasure_id, sha256) VALUES ($h, $i, 'x')\
            """,
            """
            INSERT INTO sessions.erasure_service_t (host_id, erasure_id, service, removed, done_ts)
            VALUES ($h, $i, 'x', 0, now())\
            """,
            """
            INSERT INTO sessions.session_share_t (host_id, project_id, project_key, share_id, session_id, user_id, token_prefix, token_hash,
              show_reasoning, show_tool_outputs, expires_ts, update_user)
            VALUES ($h, $p, $p::text, $i, $i, $i, left($i::text, 16), sha256($i::text::bytea), false, false, now(), 'x')\
            """,
            """
            INSERT INTO channels.delivery_t (host_id, reply_id, bot, chat, state) VALUES ($h, $i, 'x', 'x', 'delivered')\
            """,
            """
            INSERT INTO channels.sent_message_t (host_id, reply_id, idx, bot, chat) VALUES ($h, $i, 0, 'x', 'x')\
            """,
            """
            INSERT INTO channels.task_message_t (host_id, reply_id, task_id, bot, chat, user_id, project_id, project_key, process_id,
              task_order, question)
            VALUES ($h, $i, $i, 'x', 'x', $i, $p, $p::text, $i, 1, '{}')\
            """,
            """
            INSERT INTO channels.chat_t (host_id, bot, chat) VALUES ($h, 'x', $i::text)\
            """,
            """
            INSERT INTO channels.bot_t (host_id, bot, owner, owned_ts) VALUES ($h, $i::text, 'x', now())\
            """,
            """
            INSERT INTO channels.project_bot_t (host_id, bot_id, bot, project_id, project_key, kind, settings, active, update_user)
            VALUES ($h, $i, $i::text, $p, $p::text, 'webhook', '{}', false, 'x')\
            """,
            """
            INSERT INTO channels.event_hook_t (host_id, hook_id, project_id, url, events, sealed, master_key_id, enabled, update_user)
            VALUES ($h, $i, $p, 'https://example.com', '*', '', 1, false, 'x')\
            """,
            """
            INSERT INTO channels.hook_delivery_t (host_id, delivery_id, hook_id, project_id, event, body, state)
            VALUES ($h, $i, $i, $p, 'x', '{}', 'failed')\
            """,
            """
            INSERT INTO channels.openai_response_t (host_id, response_id, project_id, session, turn_id, turn_seq, first_step, user_id,
              request, context)
            VALUES ($h, $i, $p, 'x', $i, 1, 0, $i, '{}', 'x')\
            """,
            """
            INSERT INTO channels.openai_call_t (host_id, call_id, project_id, session, turn_id, step)
            VALUES ($h, $i, $p, 'x', $i, 0)\
            """,
            """
            INSERT INTO channels.openai_conversation_t (host_id, conversation_id, project_id, user_id, metadata)
            VALUES ($h, $i, $p, $i, '{}')\
            """,
            """
            INSERT INTO channels.openai_item_t (host_id, conversation_id, item_id, project_id, item)
            VALUES ($h, $i, 'x', $p, '{}')\
            """,
            """
            INSERT INTO channels.person_t (host_id, bot, user_id, name, state) VALUES ($h, 'x', $i::text, 'x', 'allowed')\
            """,
            """
            INSERT INTO channels.channel_link_t (host_id, link_id, bot, channel_user, name, user_id, code_sha256)
            VALUES ($h, $i, 'x', $i::text, 'x', $i, sha256($i::text::bytea))\
            """,
            """
            INSERT INTO channels.link_code_t (host_id, user_id, code_sha256, until) VALUES ($h, $i, sha256($i::text::bytea), now())\
            """,
            """
            INSERT INTO tools.tool_execution_t (host_id, project_id, call_id, session_id, session_key, turn_id, agent, tool, effect, attempt,
              state, worker)
            VALUES ($h, $p, $i, $i, 'web:x', $i, 'default', 'x', 'AT_MOST_ONCE', 1, 'started', 'x')\
            """,
            """
            INSERT INTO tools.erased_session_t (host_id, session_id) VALUES ($h, $i)\
            """,
            """
            INSERT INTO tools.workspace_t (host_id, project_id) VALUES ($h, $p)\
            """,
            """
            INSERT INTO tools.file_t (host_id, project_id, file_id, path, mime, is_text, size, sha256, version, update_user)
            VALUES ($h, $p, $i, '/x', 'x', true, 0, 'x', 1, 'x')\
            """,
            """
            INSERT INTO tools.file_version_t (host_id, project_id, file_id, version, storage_kind, base_version, content, mime, is_text,
              size, sha256, author_kind, author)
            VALUES ($h, $p, $i, 1, 'full', 1, 'x', 'x', true, 0, 'x', 'user', 'x')\
            """,
            """
            INSERT INTO tools.snapshot_t (host_id, project_id, snapshot_id, hash, file_count, reason, update_user)
            VALUES ($h, $p, $i, 'x', 1, 'user', 'x')\
            """,
            """
            INSERT INTO tools.snapshot_file_t (host_id, project_id, snapshot_id, file_id, version) VALUES ($h, $p, $i, $i, 1)\
            """,
            """
            INSERT INTO tools.reversion_t (host_id, project_id, reversion_id, turns, files, from_versions, to_versions, result,
              update_user)
            VALUES ($h, $p, $i, '{}', '{}', '{}', '{}', '{}', 'x')\
            """,
            """
            INSERT INTO workflows.wf_definition_t (host_id, project_id, wf_def_id, namespace, name, version, definition, digest)
            VALUES ($h, $p, $i, 'x', 'x', '1.0.0', 'x', 'x')\
            """,
            """
            INSERT INTO workflows.process_info_t (host_id, project_id, project_key, process_id, wf_def_id, wf_instance_id, workflow,
              status_code, phase, started_ts, ex_trigger_ts, input_data)
            VALUES ($h, $p, $p::text, $i, $i, 'x', 'x:x:1.0.0', 'A', 'running', now(), now(), '{}')\
            """,
            """
            INSERT INTO workflows.task_info_t (host_id, project_id, task_id, task_type, process_id, wf_instance_id, wf_task_id, task_order,
              pointer, path, status_code, phase, started_ts)
            VALUES ($h, $p, $i, 'ask', $i, 'x', 'x', 1, '/do/0/x', '/do/0/x', 'W', 'waiting', now())\
            """,
            """
            INSERT INTO workflows.task_asst_t (host_id, project_id, task_asst_id, task_id, assigned_ts, assignee_id, reason_code)
            VALUES ($h, $p, $i, $i, now(), 'x', 'x')\
            """,
            """
            INSERT INTO workflows.worklist_t (host_id, assignee_id) VALUES ($h, $i::text)\
            """,
            """
            INSERT INTO workflows.worklist_column_t (host_id, assignee_id, sequence_id, column_id) VALUES ($h, $i::text, 1, 'priority')\
            """,
            """
            INSERT INTO memory.deleted_agent_t (host_id, agent_id, deleted_ts) VALUES ($h, $i, now())\
            """,
            """
            INSERT INTO memory.agent_memory_bank_t (host_id, project_id, project_key, user_id, bank_id, bank_name)
            VALUES ($h, $p, $p::text, 'x', $i, 'x')\
            """,
            """
            INSERT INTO memory.agent_memory_doc_t (host_id, project_id, bank_id, doc_id)
            VALUES ($h, $p, $i, $i)\
            """,
            """
            INSERT INTO memory.agent_memory_unit_t (host_id, project_id, bank_id, unit_id, doc_id, content)
            VALUES ($h, $p, $i, $i, $i, 'x')\
            """,
            """
            INSERT INTO memory.agent_memory_unit_t (host_id, project_id, bank_id, unit_id, content)
            VALUES ($h, $p, $i, '00000000-0000-0000-0000-000000000000', 'x')\
            """,
            """
            INSERT INTO memory.agent_memory_entity_t (host_id, project_id, bank_id, entity_id, canonical_name)
            VALUES ($h, $p, $i, $i, 'x')\
            """,
            """
            INSERT INTO memory.agent_memory_entity_t (host_id, project_id, bank_id, entity_id, canonical_name)
            VALUES ($h, $p, $i, '00000000-0000-0000-0000-000000000000', 'y')\
            """,
            """
            INSERT INTO memory.agent_memory_unit_source_t (host_id, project_id, bank_id, source_id, unit_id)
            VALUES ($h, $p, $i, $i, $i)\
            """,
            """
            INSERT INTO memory.agent_memory_unit_entity_t (host_id, project_id, bank_id, unit_id, entity_id, name)
            VALUES ($h, $p, $i, $i, $i, 'x')\
            """,
            """
            INSERT INTO memory.agent_memory_entity_cooccur_t (host_id, project_id, bank_id, entity_id_1, entity_id_2)
            VALUES ($h, $p, $i, '00000000-0000-0000-0000-000000000000', $i)\
            """,
            """
            INSERT INTO memory.agent_memory_link_t (host_id, project_id, bank_id, from_unit_id, to_unit_id, link_type)
            VALUES ($h, $p, $i, '00000000-0000-0000-0000-000000000000', $i, 'causes')\
            """,
            """
            INSERT INTO memory.agent_memory_directive_t (host_id, project_id, bank_id, directive_id, name, content)
            VALUES ($h, $p, $i, $i, 'x', 'x')\
            """,
            """
            INSERT INTO memory.agent_memory_reflection_t (host_id, project_id, bank_id, reflection_id, content)
            VALUES ($h, $p, $i, $i, 'x')\
            """,
            """
            INSERT INTO memory.agent_memory_mental_model_t (host_id, project_id, bank_id, mental_model_id, name, question, rest_ms)
            VALUES ($h, $p, $i, $i, 'x', 'x', 1)\
            """,
            """
            INSERT INTO memory.agent_memory_unit_version_t (host_id, project_id, bank_id, unit_id, version, content)
            VALUES ($h, $p, $i, $i, 1, 'x')\
            """,
            """
            INSERT INTO memory.agent_memory_erasure_t (host_id, project_id, bank_id, erasure_id, whole, documents, units)
            VALUES ($h, $p, $i, $i, false, 0, 0)\
            """,
            """
            INSERT INTO memory.agent_memory_operation_t (host_id, project_id, bank_id, operation_id, doc_id, state)
            VALUES ($h, $p, $i, $i, $i, 'taken')\
            """,
            """
            INSERT INTO agents.budget_t (host_id, scope, scope_id, day, month)
            VALUES ($h, 'user', $i, '2026-01-31', '2026-01-01')\
            """,
            """
            INSERT INTO agents.budget_reservation_t (host_id, reservation_id, scope, scope_id, call_id, attempt, nanos, tokens,
              expires_ts)
            VALUES ($h, $i, 'user', $i, $i, 1, 1, 1, now())\
            """,
            """
            INSERT INTO control.host_t (host_id, host_key, name, update_user) VALUES ($h, $h::text, 'x', 'x')
            ON CONFLICT DO NOTHING\
            """,
            """
            INSERT INTO control.user_t (user_id, username, update_user) VALUES ($i, replace($i::text, '-', ''), 'x')\
            """,
            """
            INSERT INTO control.user_host_t (host_id, user_id, role, update_user) VALUES ($h, $i, 'user', 'x')\
            """,
            """
            INSERT INTO control.auth_session_t (host_id, auth_session_id, user_id, token_prefix, token_hash, expires_ts, refresh_hash,
              refresh_family, refresh_until_ts, method)
            VALUES ($h, $i, $i, left($i::text, 16), sha256($i::text::bytea), now(), sha256($i::text::bytea),
              sha256($i::text::bytea), now(), 'x')\
            """,
            """
            INSERT INTO control.project_t (host_id, project_id, project_key, name, update_user)
            VALUES ($h, $p, $i::text, 'x', 'x')\
            """,
            """
            INSERT INTO control.project_member_t (host_id, project_id, user_id, role, update_user)
            VALUES ($h, $p, $i, 'owner', 'x')\
            """,
            """
            INSERT INTO control.api_key_t (host_id, project_id, api_key_id, user_id, name, key_prefix, key_hash, update_user)
            VALUES ($h, $p, $i, $i, 'x', left($i::text, 16), sha256($i::text::bytea), 'x')\
            """,
            """
            INSERT INTO control.provider_credential_t (host_id, credential_id, provider, name, sealed, master_key_id, last4, update_user)
            VALUES ($h, $i, 'x', $i::text, '', 1, 'x', 'x')\
            """,
            """
            INSERT INTO control.setting_t (host_id, name, value, update_user) VALUES ($h, $i::text, '1', 'x')\
            """,
            """
            INSERT INTO control.price_t (host_id, provider, model, input, output, update_user)
            VALUES ($h, 'x', $i::text, 1, 1, 'x')\
            """,
            """
            INSERT INTO control.permission_rule_t (host_id, project_id, rule_id, tool, pattern, action, update_user)
            VALUES ($h, $p, $i, 'x', '**', 'deny', 'x')\
            """,
            """
            INSERT INTO control.agent_definition_t (host_id, project_id, agent_def_id, name, body, update_user)
            VALUES ($h, $p, $i, $i::text, '{}', 'x')\
            """,
            """
            INSERT INTO control.tool_t (host_id, project_id, definition_id, name, version, body, update_user)
            VALUES ($h, $p, $i, $i::text, '1', '{}', 'x')\
            """,
            """
            INSERT INTO control.skill_t (host_id, project_id, definition_id, name, version, body, update_user)
            VALUES ($h, $p, $i, $i::text, '1', '{}', 'x')\
            """,
            """
            INSERT INTO control.endpoint_t (host_id, project_id, definition_id, name, version, body, update_user)
            VALUES ($h, $p, $i, $i::text, '1', '{}', 'x')\
            """,
            """
            INSERT INTO control.audit_log_t (host_id, project_id, audit_log_id) VALUES ($h, $p, $i)\
            """);

    private TenantRows() {}

    /** Writes them. */
    static void into(Database database, UUID host, UUID project) throws SQLException {
        try (Connection connection = database.begin(Tenant.ALL);
                Statement statement = connection.createStatement()) {
            for (String row : ROWS) {
                statement.execute(row.replace("$h", literal(host))
                        .replace("$p", literal(project))
                        .replace("$i", "md5('" + host + project + "')::uuid"));
            }
            connection.commit();
        }
    }

    private static String literal(UUID id) {
        return "'" + id + "'::uuid";
    }
}
