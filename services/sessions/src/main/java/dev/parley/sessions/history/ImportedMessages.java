package dev.parley.sessions.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conversations of older stores, one row a message: a kind, a text, and JSON where the kind has more to say.
 *
 * <ul>
 *   <li>{@code user}, {@code assistant}: what they said
 *   <li>{@code tool_call}: {@code {"id", "name", "arguments"}}
 *   <li>{@code tool_result} or {@code tool}: {@code {"tool_call_id", "output", "success"}}
 *   <li>{@code system}, {@code command}, {@code fork}, {@code agent_killed}: not for the model
 *   <li>{@code clear}, {@code mark}, {@code rewind}: change what the model is shown from there on
 * </ul>
 */
public final class ImportedMessages {
    private static final Logger LOG = LoggerFactory.getLogger(ImportedMessages.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private ImportedMessages() {}

    /**
     * A row of an older store.
     *
     * @param text what was said, or the name of a mark
     * @param data JSON, or null
     */
    public record Row(
            String kind, @Nullable String text, @Nullable String data) {}

    /** What the model is shown of these rows. One that cannot be read is left out and counted. */
    public static Conversation of(List<Row> rows) {
        var context = new Context();
        int broken = 0;
        for (int i = 0; i < rows.size(); i++) {
            try {
                apply(context, i, rows.get(i));
            } catch (IllegalArgumentException | JsonProcessingException e) {
                broken++;
                LOG.atWarn()
                        .addKeyValue("row", i)
                        .addKeyValue("kind", rows.get(i).kind())
                        .log("a row cannot be read and is left out");
            }
        }
        return context.conversation(broken);
    }

    private static void apply(Context context, long place, Row row) throws JsonProcessingException {
        switch (row.kind()) {
            case "user" -> context.add(place, Message.text(Role.USER, text(row)));
            case "assistant" -> context.add(place, Message.text(Role.ASSISTANT, text(row)));
            case "tool_call" -> {
                JsonNode data = data(row);
                context.add(place, Message.toolCall(field(data, "id"), field(data, "name"), field(data, "arguments")));
            }
            case "tool_result", "tool" -> {
                JsonNode data = data(row);
                boolean isError = !data.path("success").asBoolean(true);
                context.add(place, Message.toolResult(field(data, "tool_call_id"), field(data, "output"), isError));
            }
            case "clear" -> context.clear();
            case "mark" -> context.mark(Objects.requireNonNullElse(row.text(), ""));
            case "rewind" -> context.rewind(Objects.requireNonNullElse(row.text(), ""));
            case "system", "command", "fork", "agent_killed" -> {} // people see them, models do not
            default -> throw new IllegalArgumentException("there is no kind '" + row.kind() + "'");
        }
    }

    private static String text(Row row) {
        if (row.text() == null) {
            throw new IllegalArgumentException("it has no text");
        }
        return row.text();
    }

    private static JsonNode data(Row row) throws JsonProcessingException {
        JsonNode data = row.data() == null ? null : JSON.readTree(row.data());
        if (data == null || !data.isObject()) {
            throw new IllegalArgumentException("its data is no JSON object");
        }
        return data;
    }

    /** A field as text; objects as the JSON that they are. */
    private static String field(JsonNode data, String name) {
        JsonNode value = data.get(name);
        if (value == null || value.isNull()) {
            throw new IllegalArgumentException("its data has no " + name);
        }
        return value.isTextual() ? value.asText() : value.toString();
    }
}
