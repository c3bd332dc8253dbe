package dev.parley.sessions.projection;

import dev.parley.sessions.projection.Row.Tokens;
import java.util.function.Function;

/** Maps the columns of all tables that the projector writes to fields of {@link Row}. */
final class Tables {
    static final Table<Row.Session> SESSIONS = tokens(
            "total_",
            common(new Table<>("agent_session_t", "host_id, session_id", Row.Session::new))
                    .text("session_key", r -> r.key, (r, v) -> r.key = v)
                    .bigint("epoch", r -> r.epoch, (r, v) -> r.epoch = v)
                    .text("slug", r -> r.slug, (r, v) -> r.slug = v)
                    .uuid("parent_session_id", r -> r.parentSessionId, (r, v) -> r.parentSessionId = v)
                    .uuid("forked_from_turn", r -> r.forkedFromTurn, (r, v) -> r.forkedFromTurn = v)
                    .integer("depth", r -> r.depth, (r, v) -> r.depth = v)
                    .text("channel", r -> r.channel, (r, v) -> r.channel = v)
                    .text("channel_id", r -> r.channelId, (r, v) -> r.channelId = v)
                    .text("user_id", r -> r.userId, (r, v) -> r.userId = v)
                    .text("owner", r -> r.owner, (r, v) -> r.owner = v)
                    .text("agent", r -> r.agent, (r, v) -> r.agent = v)
                    .uuid("bank_id", r -> r.bankId, (r, v) -> r.bankId = v)
                    .text("title", r -> r.title, (r, v) -> r.title = v)
                    .bool("title_given", r -> r.titleGiven, (r, v) -> r.titleGiven = v)
                    .text("status", r -> r.status, (r, v) -> r.status = v)
                    .json("settings", r -> r.settings, (r, v) -> r.settings = v)
                    .json("permissions", r -> r.permissions, (r, v) -> r.permissions = v)
                    .text("provider_id", r -> r.providerId, (r, v) -> r.providerId = v)
                    .text("model_id", r -> r.modelId, (r, v) -> r.modelId = v)
                    .text("summary", r -> r.summary, (r, v) -> r.summary = v)
                    .bigint("summary_up_to", r -> r.summaryUpTo, (r, v) -> r.summaryUpTo = v)
                    .bigint("next_turn_seq", r -> r.nextTurnSeq, (r, v) -> r.nextTurnSeq = v)
                    .uuid("active_turn_id", r -> r.activeTurnId, (r, v) -> r.activeTurnId = v)
                    .integer("message_count", r -> r.messageCount, (r, v) -> r.messageCount = v)
                    .numeric("total_cost", r -> r.totalCost, (r, v) -> r.totalCost = v)
                    .integer("unpriced_count", r -> r.unpricedCount, (r, v) -> r.unpricedCount = v)
                    .time("created_ts", r -> r.createdTs, (r, v) -> r.createdTs = v)
                    .time("archived_ts", r -> r.archivedTs, (r, v) -> r.archivedTs = v),
            r -> r.tokens);

    static final Table<Row.Turn> TURNS = tokens(
            "",
            common(new Table<>("agent_turn_t", "host_id, turn_id", Row.Turn::new))
                    .uuid("turn_id", r -> r.turnId, (r, v) -> r.turnId = v)
                    .bigint("turn_seq", r -> r.seq, (r, v) -> r.seq = v)
                    .text("origin", r -> r.origin, (r, v) -> r.origin = v)
                    .text("origin_ref", r -> r.originRef, (r, v) -> r.originRef = v)
                    .text("mode", r -> r.mode, (r, v) -> r.mode = v)
                    .text("agent", r -> r.agent, (r, v) -> r.agent = v)
                    .text("agent_version", r -> r.agentVersion, (r, v) -> r.agentVersion = v)
                    .text("user_id", r -> r.userId, (r, v) -> r.userId = v)
                    .text("user_message", r -> r.userMessage, (r, v) -> r.userMessage = v)
                    .text("reply", r -> r.reply, (r, v) -> r.reply = v)
                    .text("state", r -> r.state, (r, v) -> r.state = v)
                    .text("finish_reason", r -> r.finishReason, (r, v) -> r.finishReason = v)
                    .text("error_type", r -> r.errorType, (r, v) -> r.errorType = v)
                    .text("error_message", r -> r.errorMessage, (r, v) -> r.errorMessage = v)
                    .text("error_detail", r -> r.errorDetail, (r, v) -> r.errorDetail = v)
                    .text("provider_id", r -> r.providerId, (r, v) -> r.providerId = v)
                    .text("model_id", r -> r.modelId, (r, v) -> r.modelId = v)
                    .json("guardrails", r -> r.guardrails, (r, v) -> r.guardrails = v)
                    .integer("message_count", r -> r.messageCount, (r, v) -> r.messageCount = v)
                    .integer("open_tools", r -> r.openTools, (r, v) -> r.openTools = v)
                    .integer("open_approvals", r -> r.openApprovals, (r, v) -> r.openApprovals = v)
                    .integer("open_children", r -> r.openChildren, (r, v) -> r.openChildren = v)
                    .numeric("cost", r -> r.cost, (r, v) -> r.cost = v)
                    .bigint("start_position", r -> r.startPosition, (r, v) -> r.startPosition = v)
                    .time("created_ts", r -> r.createdTs, (r, v) -> r.createdTs = v)
                    .time("started_ts", r -> r.startedTs, (r, v) -> r.startedTs = v)
                    .time("completed_ts", r -> r.completedTs, (r, v) -> r.completedTs = v),
            r -> r.tokens);

    static final Table<Row.Message> MESSAGES = tokens(
            "",
            common(new Table<>("agent_message_t", "host_id, message_id", Row.Message::new))
                    .uuid("message_id", r -> r.messageId, (r, v) -> r.messageId = v)
                    .uuid("turn_id", r -> r.turnId, (r, v) -> r.turnId = v)
                    .integer("seq", r -> r.seq, (r, v) -> r.seq = v)
                    .bigint("position", r -> r.position, (r, v) -> r.position = v)
                    .text("role", r -> r.role, (r, v) -> r.role = v)
                    .uuid("parent_id", r -> r.parentId, (r, v) -> r.parentId = v)
                    .text("agent", r -> r.agent, (r, v) -> r.agent = v)
                    .text("provider_id", r -> r.providerId, (r, v) -> r.providerId = v)
                    .text("model_id", r -> r.modelId, (r, v) -> r.modelId = v)
                    .bool("interrupted", r -> r.interrupted, (r, v) -> r.interrupted = v)
                    .text("finish_reason", r -> r.finishReason, (r, v) -> r.finishReason = v)
                    .text("error_type", r -> r.errorType, (r, v) -> r.errorType = v)
                    .text("error_message", r -> r.errorMessage, (r, v) -> r.errorMessage = v)
                    .bool("answered", r -> r.answered, (r, v) -> r.answered = v)
                    .integer("part_count", r -> r.partCount, (r, v) -> r.partCount = v)
                    .integer("open_tools", r -> r.openTools, (r, v) -> r.openTools = v)
                    .numeric("cost", r -> r.cost, (r, v) -> r.cost = v)
                    .bool("cost_known", r -> r.costKnown, (r, v) -> r.costKnown = v)
                    .time("created_ts", r -> r.createdTs, (r, v) -> r.createdTs = v)
                    .time("completed_ts", r -> r.completedTs, (r, v) -> r.completedTs = v),
            r -> r.tokens);

    static final Table<Row.Part> PARTS = common(
                    new Table<>("agent_message_part_t", "host_id, project_id, session_id, part_id", Row.Part::new))
            .uuid("part_id", r -> r.partId, (r, v) -> r.partId = v)
            .uuid("message_id", r -> r.messageId, (r, v) -> r.messageId = v)
            .integer("idx", r -> r.idx, (r, v) -> r.idx = v)
            .text("kind", r -> r.kind, (r, v) -> r.kind = v)
            .text("item_type", r -> r.itemType, (r, v) -> r.itemType = v)
            .json("content", r -> r.content, (r, v) -> r.content = v)
            .text("raw", r -> r.raw, (r, v) -> r.raw = v)
            .text("raw_provider", r -> r.rawProvider, (r, v) -> r.rawProvider = v)
            .text("tool_name", r -> r.toolName, (r, v) -> r.toolName = v)
            .text("tool_call_id", r -> r.toolCallId, (r, v) -> r.toolCallId = v)
            .text("tool_status", r -> r.toolStatus, (r, v) -> r.toolStatus = v)
            .text("executed_by", r -> r.executedBy, (r, v) -> r.executedBy = v)
            .text("search_text", r -> r.searchText, (r, v) -> r.searchText = v)
            .time("created_ts", r -> r.createdTs, (r, v) -> r.createdTs = v);

    static final Table<Row.ModelCall> MODEL_CALLS = appendOnly(
                    new Table<>("model_call_t", "host_id, call_id, attempt", Row.ModelCall::new))
            .uuid("call_id", r -> r.callId, (r, v) -> r.callId = v)
            .integer("attempt", r -> r.attempt, (r, v) -> r.attempt = v)
            .uuid("turn_id", r -> r.turnId, (r, v) -> r.turnId = v)
            .text("purpose", r -> r.purpose, (r, v) -> r.purpose = v)
            .integer("step", r -> r.step, (r, v) -> r.step = v)
            .text("provider_id", r -> r.providerId, (r, v) -> r.providerId = v)
            .text("model_id", r -> r.modelId, (r, v) -> r.modelId = v)
            .text("response_raw", r -> r.responseRaw, (r, v) -> r.responseRaw = v)
            .bytes("response_sha256", r -> r.responseSha256, (r, v) -> r.responseSha256 = v)
            .text("finish_reason", r -> r.finishReason, (r, v) -> r.finishReason = v)
            .text("error_type", r -> r.errorType, (r, v) -> r.errorType = v)
            .text("error_detail", r -> r.errorDetail, (r, v) -> r.errorDetail = v)
            .bigint("tokens_input", r -> r.tokensInput, (r, v) -> r.tokensInput = v)
            .bigint("tokens_output", r -> r.tokensOutput, (r, v) -> r.tokensOutput = v)
            .bigint("tokens_reasoning", r -> r.tokensReasoning, (r, v) -> r.tokensReasoning = v)
            .bigint("tokens_cache_read", r -> r.tokensCacheRead, (r, v) -> r.tokensCacheRead = v)
            .bigint("tokens_cache_write", r -> r.tokensCacheWrite, (r, v) -> r.tokensCacheWrite = v)
            .numeric("cost", r -> r.cost, (r, v) -> r.cost = v)
            .text("payer", r -> r.payer, (r, v) -> r.payer = v)
            .uuid("credential_id", r -> r.credentialId, (r, v) -> r.credentialId = v)
            .time("completed_ts", r -> r.completedTs, (r, v) -> r.completedTs = v);

    static final Table<Row.ToolCall> TOOL_CALLS = common(
                    new Table<>("tool_call_t", "host_id, call_id", Row.ToolCall::new))
            .uuid("call_id", r -> r.callId, (r, v) -> r.callId = v)
            .uuid("turn_id", r -> r.turnId, (r, v) -> r.turnId = v)
            .uuid("part_id", r -> r.partId, (r, v) -> r.partId = v)
            .integer("step", r -> r.step, (r, v) -> r.step = v)
            .integer("idx", r -> r.idx, (r, v) -> r.idx = v)
            .integer("attempt", r -> r.attempt, (r, v) -> r.attempt = v)
            .text("tool_name", r -> r.toolName, (r, v) -> r.toolName = v)
            .text("child_key", r -> r.childKey, (r, v) -> r.childKey = v)
            .text("status", r -> r.status, (r, v) -> r.status = v)
            .bool("unknown", r -> r.unknown, (r, v) -> r.unknown = v)
            .text("subject", r -> r.subject, (r, v) -> r.subject = v)
            .text("permission", r -> r.permission, (r, v) -> r.permission = v)
            .uuid("rule_id", r -> r.ruleId, (r, v) -> r.ruleId = v)
            .uuid("approval_id", r -> r.approvalId, (r, v) -> r.approvalId = v)
            .text("approval", r -> r.approval, (r, v) -> r.approval = v)
            .text("approval_reason", r -> r.approvalReason, (r, v) -> r.approvalReason = v)
            .time("approval_until_ts", r -> r.approvalUntil, (r, v) -> r.approvalUntil = v)
            .text("approval_user", r -> r.approvalUser, (r, v) -> r.approvalUser = v)
            .time("created_ts", r -> r.createdTs, (r, v) -> r.createdTs = v)
            .time("completed_ts", r -> r.completedTs, (r, v) -> r.completedTs = v);

    /** Its seq is the sequence number of the event. */
    static final Table<Row.SessionEvent> SESSION_EVENTS = appendOnly(
                    new Table<>("session_event_t", "host_id, session_id, seq", Row.SessionEvent::new))
            .bigint("seq", r -> r.version, (r, v) -> r.version = v)
            .text("kind", r -> r.kind, (r, v) -> r.kind = v)
            .text("label", r -> r.label, (r, v) -> r.label = v)
            .bigint("turn_seq", r -> r.turnSeq, (r, v) -> r.turnSeq = v)
            .bigint("since", r -> r.since, (r, v) -> r.since = v)
            .time("created_ts", r -> r.createdTs, (r, v) -> r.createdTs = v);

    static final Table<Row.SessionFile> SESSION_FILES = appendOnly(
                    new Table<>("session_file_t", "host_id, session_id, sha256", Row.SessionFile::new))
            .text("sha256", r -> r.sha256, (r, v) -> r.sha256 = v);

    static final Table<Row.Todo> TODOS = common(new Table<>("todo_t", "host_id, session_id, position", Row.Todo::new))
            .integer("position", r -> r.position, (r, v) -> r.position = v)
            .text("content", r -> r.content, (r, v) -> r.content = v)
            .text("active_form", r -> r.activeForm, (r, v) -> r.activeForm = v)
            .text("status", r -> r.status, (r, v) -> r.status = v);

    static final Table<Row.Feedback> FEEDBACK = common(
                    new Table<>("turn_feedback_t", "host_id, turn_id, user_id, emoji", Row.Feedback::new))
            .uuid("turn_id", r -> r.turnId, (r, v) -> r.turnId = v)
            .text("user_id", r -> r.userId, (r, v) -> r.userId = v)
            .text("emoji", r -> r.emoji, (r, v) -> r.emoji = v)
            .text("opinion", r -> r.opinion, (r, v) -> r.opinion = v)
            .text("reason", r -> r.reason, (r, v) -> r.reason = v)
            .time("given_ts", r -> r.givenTs, (r, v) -> r.givenTs = v);

    static final Table<Row.Handoff> HANDOFFS = common(
                    new Table<>("handoff_t", "host_id, session_id, handoff_id", Row.Handoff::new))
            .uuid("handoff_id", r -> r.handoffId, (r, v) -> r.handoffId = v)
            .text("status", r -> r.status, (r, v) -> r.status = v)
            .text("asked_by", r -> r.askedBy, (r, v) -> r.askedBy = v)
            .text("reason", r -> r.reason, (r, v) -> r.reason = v)
            .text("operator_id", r -> r.operatorId, (r, v) -> r.operatorId = v)
            .text("operator_name", r -> r.operatorName, (r, v) -> r.operatorName = v)
            .time("asked_ts", r -> r.askedTs, (r, v) -> r.askedTs = v)
            .time("taken_ts", r -> r.takenTs, (r, v) -> r.takenTs = v)
            .time("ended_ts", r -> r.endedTs, (r, v) -> r.endedTs = v);

    private Tables() {}

    private static <R extends Row> Table<R> common(Table<R> table) {
        return appendOnly(table)
                .time("update_ts", r -> r.updateTs, (r, v) -> r.updateTs = v)
                .text("update_user", r -> r.updateUser, (r, v) -> r.updateUser = v);
    }

    private static <R extends Row> Table<R> appendOnly(Table<R> table) {
        return table.uuid("host_id", r -> r.hostId, (r, v) -> r.hostId = v)
                .uuid("project_id", r -> r.projectId, (r, v) -> r.projectId = v)
                .uuid("session_id", r -> r.sessionId, (r, v) -> r.sessionId = v)
                .bigint("aggregate_version", r -> r.version, (r, v) -> r.version = v);
    }

    private static <R extends Row> Table<R> tokens(String prefix, Table<R> table, Function<R, Tokens> tokens) {
        return table.bigint(prefix + "tokens_input", r -> tokens.apply(r).input, (r, v) -> tokens.apply(r).input = v)
                .bigint(prefix + "tokens_output", r -> tokens.apply(r).output, (r, v) -> tokens.apply(r).output = v)
                .bigint(
                        prefix + "tokens_reasoning",
                        r -> tokens.apply(r).reasoning,
                        (r, v) -> tokens.apply(r).reasoning = v)
                .bigint(
                        prefix + "tokens_cache_read",
                        r -> tokens.apply(r).cacheRead,
                        (r, v) -> tokens.apply(r).cacheRead = v)
                .bigint(
                        prefix + "tokens_cache_write",
                        r -> tokens.apply(r).cacheWrite,
                        (r, v) -> tokens.apply(r).cacheWrite = v);
    }
}
