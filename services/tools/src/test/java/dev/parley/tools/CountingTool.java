package dev.parley.tools;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what it does; with {@code fail} it does it and then loses the answer, with {@code file} it makes one. */
final class CountingTool implements Tool {
    final AtomicInteger runs = new AtomicInteger();
    final Set<UUID> happened = ConcurrentHashMap.newKeySet();
    private final String name;
    private final ToolEffect effect;

    CountingTool(String name, ToolEffect effect) {
        this.name = name;
        this.effect = effect;
    }

    @Override
    public ToolSpec spec() {
        return new ToolSpec(
                name,
                "",
                "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},\"fail\":{\"type\":\"boolean\"},\"file\":{\"type\":\"string\"}},\"additionalProperties\":false}",
                effect,
                Duration.ofMinutes(1));
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws Exception {
        runs.incrementAndGet();
        happened.add(call.callId());
        if (arguments.has("fail")) {
            throw new java.io.IOException("connection reset");
        }
        if (arguments.has("file")) {
            return ToolOutput.file(arguments.get("file").asText(), "text/plain", new byte[] {65});
        }
        return ToolOutput.of("run " + runs.get());
    }

    @Override
    public Reconciliation reconcile(UUID callId, JsonNode arguments) {
        return happened.contains(callId)
                ? new Reconciliation.Happened(ToolOutput.of("it had happened"))
                : new Reconciliation.DidNotHappen();
    }
}
