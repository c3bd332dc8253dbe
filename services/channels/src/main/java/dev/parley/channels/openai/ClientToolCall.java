package dev.parley.channels.openai;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallerCall;
import java.util.List;

/**
 * A call as the client is told it.
 *
 * @param id by which the client gives its result
 */
record ClientToolCall(String id, String name, String arguments) {
    static List<ClientToolCall> of(List<CallerCall> calls, RecordKey key) {
        return calls.stream()
                .map(call ->
                        new ClientToolCall(ClientCallId.of(call, key.session()).text(), call.name(), call.arguments()))
                .toList();
    }
}
