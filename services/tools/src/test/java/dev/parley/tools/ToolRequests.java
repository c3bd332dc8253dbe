package dev.parley.tools;

import dev.parley.domain.protocol.ToolRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Requests as the turn machine makes them. */
final class ToolRequests {
    private ToolRequests() {}

    static ToolRequest call(String tool, String arguments) {
        return call(tool, arguments, Duration.ofMinutes(1));
    }

    static ToolRequest call(String tool, String arguments, Duration timeout) {
        var now = Instant.now();
        return new ToolRequest(
                UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID(),
                null,
                0,
                0,
                1,
                "default",
                tool,
                "",
                arguments,
                null,
                now.plusSeconds(60),
                now.plus(timeout),
                List.of(),
                null);
    }

    /** The same call, asked again. */
    static ToolRequest again(ToolRequest call) {
        var now = Instant.now();
        return new ToolRequest(
                call.callId(),
                call.host(),
                call.sessionId(),
                call.turnId(),
                call.top(),
                call.step(),
                call.index(),
                call.attempt() + 1,
                call.agent(),
                call.name(),
                call.version(),
                call.arguments(),
                null,
                now.plusSeconds(60),
                call.deadline(),
                List.of(),
                null);
    }
}
