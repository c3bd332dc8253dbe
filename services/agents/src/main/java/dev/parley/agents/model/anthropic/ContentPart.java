package dev.parley.agents.model.anthropic;

import dev.parley.domain.content.Block;

/** A content block of a message, as it is sent to the API. */
sealed interface ContentPart {

    /** A block of this provider, verbatim. */
    record Item(String type, String json) implements ContentPart {
        boolean isThinking() {
            return type.equals("thinking") || type.equals("redacted_thinking");
        }
    }

    record Text(String text) implements ContentPart {}

    record Attached(Block.File file) implements ContentPart {}

    /** A tool call of another model or provider. */
    record Call(String id, String name, String arguments) implements ContentPart {}

    record Result(String callId, String content, boolean isError) implements ContentPart {}
}
