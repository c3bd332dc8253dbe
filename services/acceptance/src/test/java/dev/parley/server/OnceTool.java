package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** Must not be carried out twice: it adds a line to a file, the call's name. */
@Singleton
@Requires(property = OnceTool.FILE)
final class OnceTool implements Tool {
    static final String FILE = "parley.test.once";

    private final Path file;

    OnceTool(@Value("${" + FILE + "}") String file) {
        this.file = Path.of(file);
    }

    @Override
    public ToolSpec spec() {
        return new ToolSpec(
                "once", "Adds a line.", "{\"type\":\"object\"}", ToolEffect.AT_MOST_ONCE, Duration.ofMinutes(1));
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws IOException {
        Files.writeString(
                file, arguments.path("name").asText() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return ToolOutput.of("added");
    }
}
