package dev.parley.tools.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/**
 * The tool {@code send_file}: sends a text to the user as a file. Storing it is idempotent; it is delivered with the
 * result.
 */
public final class SendFileTool implements Tool {
    private static final int MAX_BYTES = 1 << 20;
    private static final ToolSpec SPEC = new ToolSpec(
            "send_file",
            "Sends the user a text file, such as a table, a document or source code.",
            """
            {"type":"object","properties":{\
            "name":{"type":"string","minLength":1,"maxLength":120,"description":"File name, such as report.csv."},\
            "content":{"type":"string","description":"Complete content of the file, at most 1 MiB."},\
            "mime_type":{"type":"string","description":"Media type, such as text/csv. Defaults to that of the file extension."}},\
            "required":["name","content"],"additionalProperties":false}""",
            ToolEffect.IDEMPOTENT,
            Duration.ofSeconds(30));

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) {
        byte[] bytes = arguments.get("content").asText().getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0) {
            return new ToolOutput.Failed("a file without content cannot be sent");
        }
        if (bytes.length > MAX_BYTES) {
            return new ToolOutput.Failed("the content has %d bytes; it may have %d".formatted(bytes.length, MAX_BYTES));
        }
        String name = arguments.get("name").asText();
        JsonNode type = arguments.get("mime_type");
        return ToolOutput.file(name, type == null ? type(name) : type.asText(), bytes);
    }

    private static String type(String name) {
        return Objects.requireNonNullElse(URLConnection.guessContentTypeFromName(name), "text/plain");
    }
}
