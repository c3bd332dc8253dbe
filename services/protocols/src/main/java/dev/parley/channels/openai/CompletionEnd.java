package dev.parley.channels.openai;

import dev.parley.channels.openai.request.ClientToolCall;
import dev.parley.domain.protocol.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a completion ends with.
 *
 * @param calls for the client
 * @param usage of the model calls of this completion, or null where it is unknown
 */
record CompletionEnd(List<ClientToolCall> calls, @Nullable Usage usage) {
    CompletionEnd {
        calls = List.copyOf(calls);
    }
}
