package dev.parley.agents.model.scripted;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.agents.model.ModelAnswer;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Usage;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/** The JSON that a scripted model writes. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    private interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    private static String write(Writing writing) {
        var text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            writing.to(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** An object of two strings. */
    static String object(String name, String value, String otherName, String otherValue) {
        return write(json -> {
            json.writeStartObject();
            json.writeStringField(name, value);
            json.writeStringField(otherName, otherValue);
            json.writeEndObject();
        });
    }

    /** An object of one string. */
    static String object(String name, String value) {
        return write(json -> {
            json.writeStartObject();
            json.writeStringField(name, value);
            json.writeEndObject();
        });
    }

    /** What {@code type} says in an object, or {@code unknown}. */
    static String type(String object) {
        try (JsonParser json = FACTORY.createParser(object)) {
            if (json.nextToken() == JsonToken.START_OBJECT) {
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    boolean type = json.currentName().equals("type");
                    if (json.nextToken() == JsonToken.VALUE_STRING && type) {
                        return json.getText();
                    }
                    json.skipChildren();
                }
            }
        } catch (IOException e) {
            return "unknown"; // it is kept all the same
        }
        return "unknown";
    }

    /** A whole response, as a provider would have sent it. */
    static String response(String id, ModelAnswer answer) {
        return write(json -> {
            json.writeStartObject();
            json.writeStringField("id", id);
            json.writeStringField("model", answer.model());
            json.writeStringField("finish_reason", answer.finish().name().toLowerCase(Locale.ROOT));
            content(json, answer.blocks());
            usage(json, answer.usage());
            json.writeEndObject();
        });
    }

    private static void content(JsonGenerator json, List<Block> blocks) throws IOException {
        json.writeArrayFieldStart("content");
        for (Block block : blocks) {
            switch (block) {
                case Block.Text text -> item(json, "text", "text", text.text());
                case Block.Thinking thinking -> item(json, "thinking", "thinking", thinking.text());
                case Block.ToolCall call -> item(json, "tool_call:" + call.name(), "arguments", call.arguments());
                case Block.Raw raw ->
                    item(json, raw.raw().type(), "item", raw.raw().json());
                case Block.ToolResult _, Block.RedactedThinking _, Block.File _ -> {} // a scripted model makes none
            }
        }
        json.writeEndArray();
    }

    private static void item(JsonGenerator json, String type, String name, String value) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", type);
        json.writeStringField(name, value);
        json.writeEndObject();
    }

    private static void usage(JsonGenerator json, Usage usage) throws IOException {
        json.writeObjectFieldStart("usage");
        json.writeNumberField("input_tokens", usage.input());
        json.writeNumberField("output_tokens", usage.output());
        json.writeNumberField("reasoning_tokens", usage.reasoning());
        json.writeNumberField("cache_read_tokens", usage.cacheRead());
        json.writeEndObject();
    }
}
