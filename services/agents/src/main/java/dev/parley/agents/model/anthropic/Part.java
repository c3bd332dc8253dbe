package dev.parley.agents.model.anthropic;

import dev.parley.domain.content.Block;

/** A part of a message as the API is sent it. */
sealed interface Part {

    /** What this provider said itself, exactly. */
    record Item(String type, String json) implements Part {
        boolean isThinking() {
            return type.equals("thinking") || type.equals("redacted_thinking");
        }
    }

    record Words(String text) implements Part {}

    record Attached(Block.File file) implements Part {}

    /** A tool call that another model made, or that was read from elsewhere. */
    record Call(String id, String name, String arguments) implements Part {}

    record Result(String callId, String content, boolean isError) implements Part {}
}
