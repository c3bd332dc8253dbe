package dev.parley.channels.openai.request;

import dev.parley.domain.protocol.CallerCall;
import java.util.List;

/**
 * A function call for the client.
 *
 * @param id by which the client submits its result
 */
public record ClientToolCall(String id, String name, String arguments) {
    public static List<ClientToolCall> of(List<CallerCall> calls) {
        return calls.stream()
                .map(call -> new ClientToolCall(
                        new ClientCallId(call.callId()).text(),
                        FunctionTools.offeredName(call.name()),
                        call.arguments()))
                .toList();
    }
}
