package dev.parley.domain.session;

import dev.parley.domain.protocol.Check;
import dev.parley.domain.protocol.ToolCall;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Phase of an active turn: the operation that it waits for. */
public sealed interface TurnPhase {
    /** The tool of a guardrail. */
    record CheckingGuardrail(Check check) implements TurnPhase {}

    /** Memory recall before a model call. */
    record Recalling(ToolCall call) implements TurnPhase {}

    /** A reply or a transcript of a model. */
    record CallingModel(ModelCall call) implements TurnPhase {}

    /** The open tool calls of the step: of tools, delegates and callers, and those that need an approval. */
    record CallingTools(List<ToolCall> open) implements TurnPhase {}

    /** Times at which the pending calls are retried or fail. */
    default Stream<Instant> due() {
        return switch (this) {
            case CheckingGuardrail(Check check) -> Stream.of(check.toolCall().due());
            case Recalling(ToolCall call) -> Stream.of(call.due());
            case CallingModel(ModelCall call) -> Stream.of(call.due());
            case CallingTools(List<ToolCall> open) -> open.stream().map(ToolCall::due);
        };
    }
}
