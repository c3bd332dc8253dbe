package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.a2a.A2aVersion.State;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.protocols.PendingApprovals.Approval;
import dev.parley.channels.protocols.ProtocolJson;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writer of tasks and their events, in the format of a version. Missing members are omitted, never null. */
final class TaskJson {
    /** The artifact with the reply of a turn. */
    static final String REPLY = "reply";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final A2aVersion dialect;

    TaskJson(A2aVersion dialect) {
        this.dialect = dialect;
    }

    /**
     * A task.
     *
     * @param history whether it contains the messages
     */
    ObjectNode task(TaskView task, boolean history) {
        ObjectNode json = bare(task, history);
        return dialect == A2aVersion.V0_3 ? json.put("kind", "task") : json;
    }

    /** A task as the result of sending a message, and as the first event of a stream. */
    ObjectNode wrappedTask(TaskView task, boolean history) {
        return dialect.wrap("task", "task", bare(task, history));
    }

    private ObjectNode bare(TaskView task, boolean history) {
        ObjectNode json = ProtocolJson.object()
                .put("id", task.name().text())
                .put("contextId", task.name().session());
        json.set("status", status(task.name(), task.state(), task.statusText(), task.approvals(), task.at()));
        if (task.reply() != null) {
            json.putArray("artifacts").add(artifact(task.reply()));
        }
        if (history && task.userMessage() != null && !task.userMessage().isEmpty()) {
            json.putArray("history")
                    .add(message(task.name(), "said", false, List.of(dialect.text(task.userMessage()))));
        }
        return json;
    }

    private ObjectNode artifact(String text) {
        ObjectNode artifact = ProtocolJson.object().put("artifactId", REPLY).put("name", REPLY);
        artifact.putArray("parts").add(dialect.text(text));
        return artifact;
    }

    private ObjectNode message(ExternalTurnId name, String id, boolean isAgent, List<ObjectNode> parts) {
        ObjectNode message = ProtocolJson.object()
                .put("messageId", ExternalTurnId.hex(name.turn()) + "-" + id)
                .put("contextId", name.session())
                .put("taskId", name.text())
                .put("role", dialect.role(isAgent));
        if (dialect == A2aVersion.V0_3) {
            message.put("kind", "message");
        }
        message.putArray("parts").addAll(parts);
        return message;
    }

    private ObjectNode status(
            ExternalTurnId name, State state, @Nullable String statusText, List<Approval> approvals, Instant at) {
        ObjectNode status =
                ProtocolJson.object().put("state", dialect.state(state)).put("timestamp", TIME.format(at));
        if (!approvals.isEmpty()) {
            status.set("message", message(name, "asked-" + approvals.getLast().id(), true, approvalParts(approvals)));
        } else if (statusText != null && !statusText.isEmpty()) {
            status.set("message", message(name, "status", true, List.of(dialect.text(statusText))));
        }
        return status;
    }

    /** The approvals, for people and for programs. */
    private List<ObjectNode> approvalParts(List<Approval> approvals) {
        ObjectNode data = ProtocolJson.object();
        ArrayNode questions = data.putArray("questions");
        var text = new StringBuilder();
        for (Approval approval : approvals) {
            text.append(text.isEmpty() ? "" : "\n\n").append(approval.text());
            ObjectNode question =
                    questions.addObject().put("question", approval.id()).put("text", approval.text());
            if (approval.tool() != null) {
                question.put("tool", approval.tool());
            }
        }
        return List.of(dialect.text(text.toString()), dialect.data(data));
    }

    /**
     * A state change.
     *
     * @param isLast whether it ends the stream
     */
    ObjectNode statusEvent(
            ExternalTurnId name,
            State state,
            @Nullable String statusText,
            List<Approval> approvals,
            Instant at,
            boolean isLast) {
        ObjectNode event = event(name);
        event.set("status", status(name, state, statusText, approvals, at));
        if (dialect == A2aVersion.V0_3) {
            event.put("final", isLast);
        }
        return dialect.wrap("status-update", "statusUpdate", event);
    }

    /**
     * A chunk of the reply.
     *
     * @param append whether it continues the previous chunks; otherwise it replaces them
     * @param isLast whether it completes the reply
     */
    ObjectNode artifactEvent(ExternalTurnId name, String text, boolean append, boolean isLast) {
        ObjectNode event = event(name);
        event.set("artifact", artifact(text));
        event.put("append", append).put("lastChunk", isLast);
        return dialect.wrap("artifact-update", "artifactUpdate", event);
    }

    private static ObjectNode event(ExternalTurnId name) {
        return ProtocolJson.object().put("taskId", name.text()).put("contextId", name.session());
    }
}
