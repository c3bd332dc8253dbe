package dev.parley.agents.model;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.schema.JsonSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Lets no answer pass that breaks the schema of a turn whose caller relies on it: the turn asks for it once more, with
 * the reason, then fails. Answers with tool calls, cut ones and refusals are not the caller's result, and pass.
 */
final class StrictAnswer {
    private StrictAnswer() {}

    /** @throws ModelFailure {@link ErrorCategory#INVALID_ANSWER} where the answer breaks the schema */
    static void check(ModelRequest request, ModelAnswer answer) throws ModelFailure {
        Map<String, String> options = request.agent().options();
        String schema = options.get("responseSchema");
        if (schema == null
                || !options.containsKey(Settings.STRICT_SCHEMA)
                || request.purpose() != ModelRequest.Purpose.REPLY
                || answer.finish() != FinishReason.STOP
                || answer.blocks().stream().anyMatch(Block.ToolCall.class::isInstance)) {
            return;
        }
        List<String> errors = errors(schema, Message.text(answer.blocks()));
        if (!errors.isEmpty()) {
            throw new ModelFailure(
                    ErrorCategory.INVALID_ANSWER,
                    "the answer does not match its schema: " + String.join("; ", errors),
                    Duration.ZERO,
                    List.of());
        }
    }

    private static List<String> errors(String schema, String text) {
        try {
            return JsonSchema.of(schema).errors(text);
        } catch (IllegalArgumentException e) {
            return List.of("the schema is invalid: " + e.getMessage());
        }
    }
}
