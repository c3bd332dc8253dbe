package dev.parley.channels.agui;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.AnswerText.Piece;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.protocols.PendingApprovals.Approval;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.domain.Ids;
import dev.parley.domain.Sha256;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Maps a turn to AG-UI events. At most one message or reasoning is open at a time, and none at the end. Ids are derived
 * from the turn, so they are the same when it is streamed again; parts that the client has are not repeated. For one
 * thread.
 */
final class RunEvents {
    /** The longest id of a model in the id of a call, which has at most 64 characters with {@code -result}. */
    private static final int MAX_CALL = 16;

    private final RunInput input;
    private final UUID turn;
    private final ClientState client;
    private final AnswerText text = new AnswerText(false);
    private final Map<String, String> calls = new HashMap<>();
    private final Set<String> startedCalls;
    private final Set<String> usedIds = new HashSet<>();
    private @Nullable StreamedMessage message;
    private @Nullable String reasoning;

    RunEvents(RunInput input, UUID turn, ClientState client) {
        this.input = input;
        this.turn = turn;
        this.client = client;
        this.startedCalls = new HashSet<>(client.calls());
    }

    /** Prefix of the ids of a turn's messages and calls. */
    static String idPrefix(UUID turn) {
        return ExternalTurnId.hex(turn) + "-";
    }

    /**
     * The start of the run.
     *
     * @param skipped parts of the message that were ignored
     */
    ObjectNode runStarted(String session, List<String> skipped) {
        ObjectNode event = boundary("RUN_STARTED").put("protocolVersion", Events.VERSION);
        ObjectNode parley = event.putObject("metadata").putObject("parley");
        parley.put("session", session).put("turn", turn.toString());
        if (!skipped.isEmpty()) {
            skipped.forEach(parley.putArray("skipped")::add);
        }
        return event;
    }

    private ObjectNode boundary(String type) {
        return Events.of(type).put("threadId", input.threadId()).put("runId", input.runId());
    }

    /** The events of a delta. */
    List<ObjectNode> onDelta(TurnDelta delta) {
        var events = new ArrayList<ObjectNode>();
        switch (delta.kind()) {
            case TOKEN, MESSAGE, RETRY, DONE -> text(delta, events);
            case REASONING -> reasoning(delta, events);
            case TOOL_CALL -> call(delta, events);
            case TOOL_RESULT -> result(delta, events);
            case PROGRESS -> {
                if (!delta.text().isBlank()) {
                    ObjectNode custom = Events.of("CUSTOM").put("name", "progress");
                    custom.putObject("value").put("text", delta.text());
                    events.add(custom);
                }
            }
            case STARTED, TOOL_ARGUMENTS, APPROVAL, CALLER_CALL, ERROR -> {}
        }
        return events;
    }

    /** Ends the open message; it may continue under its id. */
    List<ObjectNode> pause() {
        var events = new ArrayList<ObjectNode>();
        endReasoning(events);
        endText(events);
        return events;
    }

    private void text(TurnDelta delta, List<ObjectNode> events) {
        Piece piece = text.add(delta);
        if (piece == null) {
            return;
        }
        endReasoning(events);
        if (piece.begins() || message == null) {
            endText(events);
            message = message(messageId(delta, piece));
        }
        String unsent = message.add(piece.text());
        if (unsent == null) { // the client has something else under this id
            String fullText = message.text();
            endText(events);
            message = message(free(message.id() + "-again"));
            unsent = String.valueOf(message.add(fullText));
        }
        append(message, unsent, events);
    }

    private StreamedMessage message(String id) {
        usedIds.add(id);
        return new StreamedMessage(id, client.texts().getOrDefault(id, ""));
    }

    private static void append(StreamedMessage message, String unsent, List<ObjectNode> events) {
        if (unsent.isEmpty()) {
            return;
        }
        if (!message.isOpen()) {
            message.open();
            events.add(Events.textStart(message.id()));
        }
        events.add(Events.textContent(message.id(), unsent));
    }

    private String messageId(TurnDelta delta, Piece piece) {
        String step = idPrefix(turn) + delta.step();
        if (delta.kind() == TurnDelta.Kind.MESSAGE) {
            return free(step + "-message");
        }
        String existing = delta.kind() == TurnDelta.Kind.DONE ? client.prefixOf(piece.text()) : null;
        return existing == null || usedIds.contains(existing) ? free(step) : existing;
    }

    private String free(String id) {
        String free = id;
        for (int i = 2; usedIds.contains(free); i++) {
            free = id + "-" + i;
        }
        return free;
    }

    private void endText(List<ObjectNode> events) {
        if (message != null && message.isOpen()) {
            message.close();
            events.add(Events.textEnd(message.id()));
        }
    }

    private void reasoning(TurnDelta delta, List<ObjectNode> events) {
        String id = idPrefix(turn) + delta.step() + "-thoughts" + (delta.attempt() > 1 ? "-" + delta.attempt() : "");
        if (!id.equals(reasoning)) {
            events.addAll(pause());
            reasoning = id;
            events.add(Events.reasoning("REASONING_START", id));
            events.add(Events.reasoning("REASONING_MESSAGE_START", id).put("role", "reasoning"));
        }
        events.add(Events.reasoning("REASONING_MESSAGE_CONTENT", id).put("delta", delta.text()));
    }

    private void endReasoning(List<ObjectNode> events) {
        if (reasoning != null) {
            events.add(Events.reasoning("REASONING_MESSAGE_END", reasoning));
            events.add(Events.reasoning("REASONING_END", reasoning));
            reasoning = null;
        }
    }

    private void call(TurnDelta delta, List<ObjectNode> events) {
        String id = callId(turn, delta.step(), String.valueOf(delta.toolCallId()));
        calls.put(String.valueOf(delta.toolCallId()), id);
        if (startedCalls.add(id)) {
            events.addAll(pause());
            begin(id, delta, events);
            events.add(Events.callArguments(id, delta.text().isBlank() ? "{}" : delta.text()));
            events.add(Events.callEnd(id));
        }
    }

    private void begin(String id, TurnDelta delta, List<ObjectNode> events) {
        events.add(Events.callStart(id, String.valueOf(delta.toolName()), idPrefix(turn) + delta.step()));
    }

    private void result(TurnDelta delta, List<ObjectNode> events) {
        String call = String.valueOf(delta.toolCallId());
        String id = calls.getOrDefault(call, callId(turn, delta.step(), call));
        if (client.results().contains(id)) {
            return;
        }
        events.addAll(pause());
        if (startedCalls.add(id)) { // its start was missed
            begin(id, delta, events);
            events.add(Events.callEnd(id));
        }
        events.add(Events.callResult(id + "-result", id, delta.text()));
    }

    /**
     * The id of a call.
     *
     * @param call the model's id
     */
    static String callId(UUID turn, int step, String call) {
        return idPrefix(turn) + step + "-"
                + (call.length() <= MAX_CALL ? call : Sha256.hex(call).substring(0, MAX_CALL));
    }

    /** The end of the run with pending approvals; the turn waits. */
    List<ObjectNode> runInterrupted(List<Approval> approvals) {
        List<ObjectNode> events = pause();
        ObjectNode event = boundary("RUN_FINISHED");
        ArrayNode interrupts =
                event.putObject("outcome").put("type", "interrupt").putArray("interrupts");
        for (Approval approval : approvals) {
            ObjectNode interrupt = interrupts
                    .addObject()
                    .put("id", new Interrupt(Ids.parse(approval.id()), turn).id())
                    .put("reason", approval.call() == null ? "confirmation" : "tool_call")
                    .put("message", approval.text());
            if (approval.call() != null) {
                interrupt.put("toolCallId", callId(turn, approval.step(), approval.call()));
            }
            interrupt.set("responseSchema", Interrupt.responseSchema());
        }
        events.add(event);
        return events;
    }

    /** The end of the run with that of the turn. */
    List<ObjectNode> onTurnEnd(TurnEnd end) {
        List<ObjectNode> events = pause();
        events.add(
                switch (end) {
                    case TurnEnd.Completed _, TurnEnd.Called _ -> runFinished("success", end);
                    case TurnEnd.Cancelled _ -> runFinished("cancelled", end);
                    case TurnEnd.Failed failed -> error(failed.failure(), end);
                    case TurnEnd.Open open -> error(open.failure(), end);
                });
        return events;
    }

    private ObjectNode runFinished(String outcome, TurnEnd end) {
        ObjectNode event = boundary("RUN_FINISHED");
        event.putObject("outcome").put("type", outcome);
        return addUsage(event, end.usage());
    }

    private static ObjectNode error(Failure failure, TurnEnd end) {
        ObjectNode event =
                Events.of("RUN_ERROR").put("message", failure.message()).put("code", failure.code());
        return addUsage(event, end.usage());
    }

    private static ObjectNode addUsage(ObjectNode event, @Nullable Usage usage) {
        if (usage != null && !usage.equals(Usage.NONE)) {
            event.putArray("usage")
                    .add(ProtocolJson.object()
                            .put("inputTokens", usage.input())
                            .put("outputTokens", usage.output())
                            .put("totalTokens", usage.input() + usage.output())
                            .put("reasoningTokens", usage.reasoning())
                            .put("cachedInputTokens", usage.cacheRead())
                            .put("cacheWriteInputTokens", usage.cacheWrite()));
        }
        return event;
    }
}
