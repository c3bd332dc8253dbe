package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;

/** Creates files of a given size, or PNGs of a given width and height. */
@Singleton
final class MakerTool implements Tool {
    @Override
    public ToolSpec spec() {
        return new ToolSpec(
                "make", "Makes files.", "{\"type\":\"object\"}", ToolEffect.AT_MOST_ONCE, Duration.ofMinutes(1));
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) {
        var files = new ArrayList<ToolOutput.Attachment>();
        for (JsonNode file : arguments.get("files")) {
            byte[] bytes = file.has("size")
                    ? new byte[file.get("size").asInt()]
                    : png(file.get("width").asInt(), file.get("height").asInt());
            String type = file.has("size") ? "application/zip" : "image/png";
            files.add(new ToolOutput.Attachment(file.get("name").asText(), type, bytes));
        }
        return new ToolOutput.Files("made", files);
    }

    /** The header of a picture; nothing else of it is read. */
    private static byte[] png(int width, int height) {
        byte[] header = "\u0089PNG\r\n\u001a\n\0\0\0\rIHDR".getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(64).put(header).putInt(width).putInt(height).array();
    }
}
