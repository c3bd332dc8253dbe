package dev.parley.tools.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.time.Duration;

/** The tool {@code echo}: returns its input. */
public final class EchoTool implements Tool {
    private static final ToolSpec SPEC = new ToolSpec(
                    "echo", "Returns the given text.", """
            {"type":"object","properties":{"text":{"type":"string","description":"Text to return."}},\
            "required":["text"],"additionalProperties":false}""", ToolEffect.IDEMPOTENT, Duration.ofSeconds(10))
            .with(ToolAccess.READ);

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) {
        return ToolOutput.of(arguments.get("text").asText());
    }
}
