package dev.parley.workflows.view;

import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CallOutcome;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.ApprovalDecided;
import dev.parley.domain.protocol.TurnEvent.ApprovalRequested;
import dev.parley.domain.protocol.TurnEvent.CallSettled;
import dev.parley.domain.protocol.TurnEvent.HandoffChanged;
import dev.parley.domain.protocol.TurnEvent.SessionErased;
import dev.parley.domain.protocol.TurnEvent.ToolCalled;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.domain.workflow.Phase;
import dev.parley.platform.database.RowBatch;
import dev.parley.workflows.json.Json;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes agents' questions into the task tables: approvals of tool calls, unknown outcomes of tool calls, and
 * conversations that wait for an operator. They are assigned to the user of the turn, if that user may answer, and to
 * project owners and admins. Hand-written SQL, because replays write outside
 * the pool.
 */
public final class AgentTasks {
    /** Task type of an approval. */
    public static final String APPROVAL = "approval";

    /** Task type of a question about an unknown outcome. */
    static final String OUTCOME = "outcome";

    /** Task type of a conversation that waits for an operator. */
    public static final String HANDOFF = "handoff";

    /** The answer to a task of this type: whoever gives it is the operator. */
    public static final String TAKE = "take";

    /** Event types that affect tasks. */
    static final Set<String> TYPES = Set.of(
            ApprovalRequested.class.getSimpleName(),
            ApprovalDecided.class.getSimpleName(),
            ToolCalled.class.getSimpleName(),
            CallSettled.class.getSimpleName(),
            HandoffChanged.class.getSimpleName(),
            SessionErased.class.getSimpleName());

    private static final int MAX_NAME_LENGTH = 126;
    private static final int MAX_TEXT_LENGTH = 1_000;

    private final Connection connection;
    private final List<ToolCalled> called = new ArrayList<>();

    AgentTasks(Connection connection) {
        this.connection = connection;
    }

    void write(List<TurnEvent> events) throws SQLException {
        for (TurnEvent event : events) {
            if (event instanceof ToolCalled call) {
                called.add(call);
                if (call.status() == ToolStatus.UNKNOWN) {
                    withdraw();
                    ask(call);
                }
            } else {
                withdraw();
                write(event);
            }
        }
        withdraw();
    }

    private void write(TurnEvent event) throws SQLException {
        switch (event) {
            case ApprovalRequested request -> ask(request);
            case ApprovalDecided decided -> decide(decided);
            case CallSettled settled ->
                end(
                        settled.meta(),
                        settled.callId(),
                        Phase.COMPLETED,
                        settled.outcome().code(),
                        settled.by(),
                        settled.note());
            case HandoffChanged changed -> change(changed);
            case SessionErased erased -> erase(erased.meta());
            default -> {}
        }
    }

    /** Closes the tasks of completed calls, one statement per batch, because most calls have none. */
    private void withdraw() throws SQLException {
        var rows = new RowBatch("uuid uuid timestamptz int8");
        called.forEach(call -> rows.add(
                call.meta().host(), call.callId(), call.meta().at(), call.meta().seq()));
        called.clear();
        rows.run(connection, """
            WITH ended AS (
              UPDATE workflows.task_info_t i SET status_code = 'X', phase = 'cancelled', completed_ts = t.at,
                result_code = 'withdrawn', aggregate_version = t.seq, update_ts = t.at
              FROM $rows AS t (host, call, at, seq)
              WHERE i.host_id = t.host AND i.call_id = t.call AND i.completed_ts IS NULL
              RETURNING i.host_id, i.task_id, t.at)
            UPDATE workflows.task_asst_t a SET unassigned_ts = e.at, unassigned_reason = 'withdrawn',
              aggregate_version = a.aggregate_version + 1, update_ts = e.at
            FROM ended e WHERE a.host_id = e.host_id AND a.task_id = e.task_id AND a.unassigned_ts IS NULL
            """);
    }

    private void ask(ApprovalRequested request) throws SQLException {
        String tool = request.tool() == null ? "a tool" : request.tool();
        Json question = Json.of(
                        "prompt", Json.of("May " + tool + " be used in the session " + session(request.meta()) + "?"))
                .with("mode", Json.of("choice"))
                .with("options", options(request.reason() == null))
                .with("tool", Json.of(tool))
                .with("arguments", Json.textOf(request.arguments()))
                .with("about", Json.textOf(request.about()))
                .with("reason", Json.textOf(request.reason()));
        insert(request.meta(), request.approvalId(), request.callId(), APPROVAL, tool, question, request.expiresAt());
        assign(request.meta(), request.approvalId(), APPROVAL, request.user());
    }

    private void ask(ToolCalled call) throws SQLException {
        Json question = Json.of(
                        "prompt",
                        Json.of("Nobody saw the end of a call of " + call.name() + " in the session "
                                + session(call.meta()) + ": look whether it happened"))
                .with("mode", Json.of("choice"))
                .with(
                        "options",
                        Json.of(Stream.of(CallOutcome.values())
                                .map(outcome -> Json.of(outcome.code()))
                                .toList()))
                .with("tool", Json.of(call.name()))
                .with(
                        "reason",
                        Json.of(call.content()
                                .substring(
                                        0,
                                        Math.min(MAX_TEXT_LENGTH, call.content().length()))));
        insert(call.meta(), call.callId(), call.callId(), OUTCOME, call.name(), question, null);
        assign(call.meta(), call.callId(), OUTCOME, null);
    }

    private void change(HandoffChanged changed) throws SQLException {
        Handoff handoff = changed.handoff();
        switch (changed.change()) {
            case ASKED -> {
                Json question = Json.of(
                                "prompt", Json.of("A person is asked for in the session " + session(changed.meta())))
                        .with("mode", Json.of("choice"))
                        .with("options", Json.of(List.of(Json.of(TAKE))))
                        .with("reason", Json.textOf(handoff.reason()));
                Instant deadline = handoff.until();
                insert(changed.meta(), handoff.id(), handoff.id(), HANDOFF, HANDOFF, question, deadline);
                assign(changed.meta(), handoff.id(), HANDOFF, null);
            }
            case TAKEN -> end(changed.meta(), handoff.id(), Phase.COMPLETED, TAKE, changed.by(), null);
            case RETURNED, EXPIRED, ENDED ->
                end(
                        changed.meta(),
                        handoff.id(),
                        Phase.CANCELLED,
                        changed.change().name().toLowerCase(Locale.ROOT),
                        changed.by(),
                        changed.reason());
        }
    }

    /**
     * @param lasting whether answers that add a rule are offered: approvals required by a provider are always requested
     */
    private static Json options(boolean lasting) {
        return Json.of(Stream.of(ApprovalAnswer.values())
                .filter(answer -> answer != ApprovalAnswer.EXPIRED
                        && (lasting || answer == ApprovalAnswer.ONCE || answer == ApprovalAnswer.REJECT))
                .map(answer -> Json.of(answer.code()))
                .toList());
    }

    private static String session(EventMeta meta) {
        return meta.key().session();
    }

    private void insert(
            EventMeta meta, UUID task, UUID call, String type, String tool, Json question, @Nullable Instant deadline)
            throws SQLException {
        new RowBatch("uuid uuid uuid text text text text uuid text uuid uuid int8 timestamptz timestamptz json")
                .add(
                        meta.host(),
                        task,
                        meta.key().projectId(),
                        meta.key().project(),
                        type,
                        clipped(session(meta)),
                        clipped(tool),
                        meta.sessionId(),
                        session(meta),
                        meta.turnId(),
                        call,
                        meta.seq(),
                        meta.at(),
                        deadline,
                        question.toString())
                .run(connection, """
                    INSERT INTO workflows.task_info_t (host_id, task_id, project_id, project_key, task_type, wf_instance_id,
                      wf_task_id, session_id, session_key, turn_id, call_id, task_order, started_ts, deadline_ts, question,
                      pointer, path, status_code, phase, aggregate_version, update_ts)
                    SELECT t.*, '', '', 'W', 'waiting', t.task_order, t.started_ts
                    FROM $rows AS t (host_id, task_id, project_id, project_key, task_type, wf_instance_id, wf_task_id,
                      session_id, session_key, turn_id, call_id, task_order, started_ts, deadline_ts, question)
                    ON CONFLICT DO NOTHING
                    """);
    }

    private static String clipped(String text) {
        return text.length() > MAX_NAME_LENGTH ? text.substring(0, MAX_NAME_LENGTH) : text;
    }

    private void assign(EventMeta meta, UUID task, String category, @Nullable String user) throws SQLException {
        Stream<String> people = Stream.concat(Stream.ofNullable(user), Stream.of(Assignee.role(HumanTask.LEADER)));
        for (String id : people.toList()) {
            people(meta).assign(task, new Assignee(id, category, "agent", meta.at()));
        }
    }

    private PeopleViews people(EventMeta meta) {
        return new PeopleViews(connection, meta.host(), meta.key().projectId());
    }

    private void decide(ApprovalDecided decided) throws SQLException {
        boolean expired = decided.answer() == ApprovalAnswer.EXPIRED;
        end(
                decided.meta(),
                decided.approvalId(),
                expired ? Phase.CANCELLED : Phase.COMPLETED,
                decided.answer().code(),
                decided.by(),
                decided.reason());
    }

    private void end(
            EventMeta meta, UUID task, Phase phase, String result, @Nullable String user, @Nullable String comment)
            throws SQLException {
        new RowBatch("uuid uuid text text text text text timestamptz int8")
                .add(
                        meta.host(),
                        task,
                        String.valueOf(phase.letter()),
                        phase.specificationName(),
                        result,
                        user,
                        comment,
                        meta.at(),
                        meta.seq())
                .run(connection, """
                    UPDATE workflows.task_info_t i SET status_code = t.status, phase = t.phase, result_code = t.result,
                      completed_user = t.by, user_comment = t.comment, completed_ts = t.at, aggregate_version = t.seq, update_ts = t.at
                    FROM $rows AS t (host, task, status, phase, result, by, comment, at, seq)
                    WHERE i.host_id = t.host AND i.task_id = t.task AND i.completed_ts IS NULL
                    """);
        people(meta).end(task, meta.at(), phase.specificationName());
    }

    private void erase(EventMeta meta) throws SQLException {
        new RowBatch("uuid uuid text")
                .add(meta.host(), meta.key().projectId(), session(meta))
                .run(connection, """
                    DELETE FROM workflows.task_info_t i USING $rows AS t (host, project, session)
                    WHERE i.host_id = t.host AND i.project_id = t.project AND i.session_key = t.session
                    """);
    }
}
