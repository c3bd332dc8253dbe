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
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;

/** The first time, its result is larger than the memory; from then on it is small. */
@Singleton
@Requires(property = HugeTool.MARKER)
final class HugeTool implements Tool {
    /** Names the file that says that the first time was. */
    static final String MARKER = "parley.test.huge";

    private final Path marker;

    HugeTool(@Value("${" + MARKER + "}") String marker) {
        this.marker = Path.of(marker);
    }

    @Override
    public ToolSpec spec() {
        return new ToolSpec(
                "huge", "Says much.", "{\"type\":\"object\"}", ToolEffect.IDEMPOTENT, Duration.ofMinutes(1));
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws IOException {
        try {
            Files.createFile(marker);
        } catch (FileAlreadyExistsException e) {
            return ToolOutput.of("little");
        }
        @SuppressWarnings("ModifiedButNotUsed") // it is there to take up memory
        var pieces = new ArrayList<String>();
        while (true) {
            pieces.add("x".repeat(20 << 20));
        }
    }
}
