package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A message as a person sees it now.
 *
 * @param json as the Bot API says it
 * @param bot who sent it, null if a person did
 * @param source the text as the bot gave it, with its tags
 * @param earlier the texts that it had before, the oldest first
 * @param edits how often it was edited, with edits of the keyboard only
 */
public record Message(
        ObjectNode json,
        @Nullable Bot bot,
        @Nullable String source,
        List<String> earlier,
        int edits,
        @Nullable StoredFile file,
        @Nullable String reaction) {

    static Message of(ObjectNode json, @Nullable Bot bot, @Nullable String source, @Nullable StoredFile file) {
        return new Message(json, bot, source, List.of(), 0, file, null);
    }

    /** Counts up in its chat. */
    public int id() {
        return json.path("message_id").asInt();
    }

    /** Whether a bot sent it. */
    public boolean fromBot() {
        return bot != null;
    }

    /** Visible text, or a file's caption. */
    public String text() {
        return json.path("text").asText(json.path("caption").asText());
    }

    /** How the text is marked up. */
    public List<Entity> entities() {
        JsonNode entities = json.path(json.has("text") ? "entities" : "caption_entities");
        return StreamSupport.stream(entities.spliterator(), false)
                .map(Entity::read)
                .toList();
    }

    /** The inline keyboard, if it has one. */
    public @Nullable JsonNode keyboard() {
        return json.get("reply_markup");
    }

    /** The texts of the buttons, in order. */
    public List<String> buttons() {
        return json.at("/reply_markup/inline_keyboard").findValuesAsText("text");
    }

    /** The message that it answers, or 0. */
    public int replyTo() {
        return json.at("/reply_to_message/message_id").asInt();
    }

    /** The topic's thread, or 0. */
    public int thread() {
        return json.path("message_thread_id").asInt();
    }

    Message edited(ObjectNode now, @Nullable String newSource) {
        var texts = new ArrayList<>(earlier);
        texts.add(text());
        return new Message(now, bot, newSource, List.copyOf(texts), edits + 1, file, reaction);
    }

    Message withKeyboard(ObjectNode now) {
        return new Message(now, bot, source, earlier, edits + 1, file, reaction);
    }

    Message reacted(@Nullable String emoji) {
        return new Message(json, bot, source, earlier, edits, file, emoji);
    }

    @Override
    public String toString() {
        return "#" + id() + (fromBot() ? " bot: " : " person: ") + text()
                + (buttons().isEmpty() ? "" : " " + buttons());
    }
}
