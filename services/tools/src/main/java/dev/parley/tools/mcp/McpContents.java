package dev.parley.tools.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Attachment;
import dev.parley.tools.ToolOutput.Failed;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Converts results of the protocol to tool outputs. */
final class McpContents {
    private static final ObjectMapper JSON = JsonMappers.shared();
    private static final int MAX_BRIEF = 2_000;

    private final List<String> texts = new ArrayList<>();
    private final List<Attachment> files = new ArrayList<>();

    private McpContents() {}

    static ToolOutput output(CallToolResult result) throws JsonProcessingException {
        var contents = new McpContents();
        List<McpSchema.Content> received = result.content() == null ? List.of() : result.content();
        received.forEach(contents::add);
        if (contents.texts.isEmpty() && result.structuredContent() != null) {
            contents.texts.add(JSON.writeValueAsString(result.structuredContent()));
        }
        String text = String.join("\n", contents.texts);
        if (Boolean.TRUE.equals(result.isError())) {
            return new Failed(text.isBlank() ? "the tool failed without a reason" : text);
        }
        return contents.files.isEmpty() ? new ToolOutput.Text(text) : new ToolOutput.Files(text, contents.files);
    }

    /** A result in the form of MCP; of content other than text, only the type is kept. */
    static JsonNode json(CallToolResult result) {
        ObjectNode json = JSON.createObjectNode();
        ArrayNode contents = json.putArray("content");
        List<McpSchema.Content> received = result.content() == null ? List.of() : result.content();
        for (McpSchema.Content content : received) {
            ObjectNode entry = contents.addObject().put("type", content.type());
            if (content instanceof McpSchema.TextContent text) {
                entry.put("text", String.valueOf(text.text()));
            }
        }
        if (result.structuredContent() != null) {
            json.set("structuredContent", JSON.valueToTree(result.structuredContent()));
        }
        return json.put("isError", Boolean.TRUE.equals(result.isError()));
    }

    private void add(McpSchema.Content content) {
        switch (content) {
            case McpSchema.TextContent text -> texts.add(String.valueOf(text.text()));
            case McpSchema.ImageContent image -> file("image", image.mimeType(), image.data());
            case McpSchema.AudioContent audio -> file("audio", audio.mimeType(), audio.data());
            case McpSchema.ResourceLink link -> texts.add("%s: %s".formatted(link.name(), link.uri()));
            case McpSchema.EmbeddedResource embedded -> {
                switch (embedded.resource()) {
                    case McpSchema.TextResourceContents text -> texts.add(String.valueOf(text.text()));
                    case McpSchema.BlobResourceContents blob -> file("file", blob.mimeType(), blob.blob());
                    default -> texts.add("[a resource of an unknown kind]");
                }
            }
            default -> texts.add("[content of an unknown kind]");
        }
    }

    private void file(String name, String mimeType, String data) {
        String type = mimeType == null ? "application/octet-stream" : mimeType;
        String extension = type.matches(".*/\\w{1,8}") ? "." + type.substring(type.indexOf('/') + 1) : "";
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(String.valueOf(data));
            files.add(new Attachment("%s-%d%s".formatted(name, files.size() + 1, extension), type, bytes));
        } catch (IllegalArgumentException e) {
            texts.add("[a file that is not valid Base64]");
        }
    }

    /** The beginning of a third-party text. */
    static String brief(String text) {
        return text.length() > MAX_BRIEF ? text.substring(0, MAX_BRIEF) + " …" : text;
    }
}
