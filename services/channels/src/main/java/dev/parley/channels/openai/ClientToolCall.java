package dev.parley.channels.openai;

import dev.parley.channels.protocols.TurnEnd;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallerCall;
import java.util.List;

/**
 * A function call for the client.
 *
 * @param id by which the client submits its result
 */
record ClientToolCall(String id, String name, String arguments) {
    /** The calls that a turn waits for; none where it has ended otherwise. */
    static List<ClientToolCall> of(TurnEnd end, RecordKey key) {
        return end instanceof TurnEnd.Called called ? of(called.calls(), key) : List.of();
    }

    static List<ClientToolCall> of(List<CallerCall> calls, RecordKey key) {
        return calls.stream()
                .map(call ->
                        new ClientToolCall(ClientCallId.of(call, key.session()).text(), call.name(), call.arguments()))
                .toList();
    }
}
