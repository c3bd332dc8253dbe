package dev.parley.channels.hooks;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.ApprovalRequested;
import dev.parley.domain.protocol.TurnEvent.FeedbackGiven;
import dev.parley.domain.protocol.TurnEvent.HandoffChanged;
import dev.parley.domain.protocol.TurnEvent.TurnCancelled;
import dev.parley.domain.protocol.TurnEvent.TurnCompleted;
import dev.parley.domain.protocol.TurnEvent.TurnFailed;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowEvent.HumanTaskChanged;
import dev.parley.domain.workflow.WorkflowEvent.ProcessChanged;
import dev.parley.domain.workflow.WorkflowEvent.TaskChange;
import dev.parley.domain.workflow.WorkflowMeta;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that projects can subscribe to. It contains ids and no content of users or models: receivers fetch that from
 * the API with their own key.
 *
 * @param source unique and permanent identity of the event
 * @param session key of its session, or null
 * @param data as JSON
 */
record HookEvent(
        UUID host,
        UUID project,
        String type,
        String source,
        @Nullable String session,
        Instant at,
        String data) {
    /** The event types that can be subscribed to. */
    static final List<String> TYPES = List.of(
            "turn.completed",
            "turn.failed",
            "turn.cancelled",
            "approval.requested",
            "feedback.given",
            "handoff.asked",
            "handoff.taken",
            "handoff.ended",
            "process.completed",
            "process.faulted",
            "process.cancelled",
            "task.asked");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final Set<String> TURNS = Set.of(
            "TurnCompleted",
            "TurnFailed",
            "TurnCancelled",
            "ApprovalRequested",
            "FeedbackGiven",
            "HandoffChanged",
            "SessionErased");
    private static final Set<String> PROCESSES = Set.of(
            "io.serverlessworkflow.workflow.completed.v1",
            "io.serverlessworkflow.workflow.faulted.v1",
            "io.serverlessworkflow.workflow.cancelled.v1",
            WorkflowEvent.OF_PEOPLE + "asked.v1");

    /** Whether records of {@code turn-events} with this {@code ce_type} are read. */
    static boolean isOfTurns(String type) {
        return TURNS.contains(type);
    }

    /** Whether records of {@code workflow-events} with this {@code ce_type} are read. */
    static boolean isOfProcesses(String type) {
        return PROCESSES.contains(type);
    }

    /** The event of a turn; empty where it has none. */
    static Optional<HookEvent> of(TurnEvent event) {
        if (event instanceof TurnCompleted completed) {
            return turn("turn.completed", event.meta(), node().put("model", completed.model()));
        }
        if (event instanceof TurnFailed failed) {
            String category = failed.category().name().toLowerCase(Locale.ROOT);
            return turn("turn.failed", event.meta(), node().put("error", category));
        }
        if (event instanceof TurnCancelled) {
            return turn("turn.cancelled", event.meta(), node());
        }
        if (event instanceof ApprovalRequested requested) {
            return turn(
                    "approval.requested",
                    event.meta(),
                    node().put("approval", requested.approvalId().toString())
                            .put("tool", requested.tool())
                            .put("expiresAt", time(requested.expiresAt())));
        }
        if (event instanceof FeedbackGiven given) {
            return turn(
                    "feedback.given",
                    event.meta(),
                    node().put("turn", given.turnId().toString())
                            .put("opinion", given.opinion().name().toLowerCase(Locale.ROOT))
                            .put("by", given.by()));
        }
        if (event instanceof HandoffChanged changed) {
            return handoff(changed);
        }
        return Optional.empty();
    }

    private static Optional<HookEvent> handoff(HandoffChanged changed) {
        String change = changed.change().name().toLowerCase(Locale.ROOT);
        return turn(
                changed.change().isOver() ? "handoff.ended" : "handoff." + change,
                changed.meta(),
                node().put("handoff", changed.handoff().id().toString())
                        .put("change", change)
                        .put("operator", changed.handoff().operator())
                        .put("askedBy", changed.handoff().askedBy()));
    }

    /** The event of a workflow process; empty where it has none. */
    static Optional<HookEvent> of(WorkflowEvent event) {
        if (event instanceof ProcessChanged changed && changed.phase().isFinal()) {
            return process("process." + changed.phase().specificationName(), event.meta(), node());
        }
        if (event instanceof HumanTaskChanged changed && changed.change() == TaskChange.ASKED) {
            return process(
                    "task.asked",
                    event.meta(),
                    node().put("order", changed.task().taskOrder())
                            .put("name", changed.task().name()));
        }
        return Optional.empty();
    }

    private static ObjectNode node() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static Optional<HookEvent> turn(String type, EventMeta meta, ObjectNode details) {
        RecordKey key = meta.key();
        ObjectNode data = node().put("project", key.project())
                .put("session", key.session())
                .put("turn", meta.turnId() == null ? null : meta.turnId().toString());
        data.setAll(details);
        return Optional.of(new HookEvent(
                meta.host(), key.projectId(), type, key + "#" + meta.seq(), key.session(), meta.at(), data.toString()));
    }

    private static Optional<HookEvent> process(String type, WorkflowMeta meta, ObjectNode details) {
        ObjectNode data = node().put("project", meta.process().project())
                .put("process", meta.process().id().toString());
        data.setAll(details);
        return Optional.of(new HookEvent(
                meta.process().host(),
                RecordKey.projectId(meta.process().project()),
                type,
                meta.process().id() + "#" + meta.seq(),
                null,
                meta.at(),
                data.toString()));
    }

    /** The request body. */
    String body() {
        return "{\"type\":\"%s\",\"timestamp\":\"%s\",\"data\":%s}".formatted(type, time(at), data);
    }

    /** A time in UTC with three digits of a second: the one form of all times in events. */
    static String time(Instant time) {
        return TIME.format(time);
    }
}
