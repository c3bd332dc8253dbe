package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What a person does in a chat. Each makes an update for every bot that is there; the first bot's is returned. A chat
 * itself speaks as the person that it was made with, outside of topics.
 */
public interface Speech {
    /** Where. */
    Chat chat();

    /** Who. */
    User user();

    /** The topic's thread, 0 outside of topics. */
    int thread();

    /** Somebody else in the same place. */
    default Speech by(User other) {
        return new In(chat(), other, thread());
    }

    /** The same person in a topic. */
    default Speech in(int thread) {
        return new In(chat(), user(), thread);
    }

    /** A person at a place. */
    record In(Chat chat, User user, int thread) implements Speech {}

    /** Writes a message. */
    default Update says(String text) {
        return chat().post(this, text(text));
    }

    /** Writes a message that answers another. */
    default Update replies(int messageId, String text) {
        ObjectNode content = text(text);
        content.set("reply_to_message", chat().quoted(messageId));
        return chat().post(this, content);
    }

    /** Writes a message anew. */
    default Update edits(int messageId, String text) {
        return chat().rewrite(this, messageId, text(text));
    }

    /** Forwards what somebody else wrote. */
    default Update forwards(User from, String text) {
        ObjectNode content = text(text);
        ObjectNode origin = content.putObject("forward_origin");
        origin.put("type", "user")
                .put("date", chat().now().minusSeconds(60).getEpochSecond())
                .set("sender_user", from.json());
        return chat().post(this, content);
    }

    /** Sends a photo. */
    default Update sendsPhoto(byte[] jpeg, String caption) {
        return chat().post(this, photo(jpeg, caption));
    }

    /** Sends several photos as one album. The first has the caption. */
    default List<Update> sendsAlbum(String caption, byte[]... photos) {
        String group = Long.toString(chat().number());
        var updates = new ArrayList<Update>();
        for (byte[] bytes : photos) {
            updates.add(chat().post(
                            this, photo(bytes, updates.isEmpty() ? caption : "").put("media_group_id", group)));
        }
        return List.copyOf(updates);
    }

    /** Sends a recording. */
    default Update sendsVoice(byte[] ogg, int seconds) {
        StoredFile file = chat().keep("voice", "voice.oga", "audio/ogg", ogg);
        ObjectNode content = Json.object();
        content.set("voice", file.json().put("duration", seconds).put("mime_type", "audio/ogg"));
        return chat().post(this, content);
    }

    /** Sends a file. */
    default Update sendsDocument(String name, String type, byte[] bytes, String caption) {
        ObjectNode content = caption(caption);
        content.set("document", chat().keep("documents", name, type, bytes).documentJson());
        return chat().post(this, content);
    }

    /** Sends a place. */
    default Update sendsLocation(double latitude, double longitude) {
        ObjectNode content = Json.object();
        content.putObject("location").put("latitude", latitude).put("longitude", longitude);
        return chat().post(this, content);
    }

    /** Sends a contact. */
    default Update sendsContact(String phone, String name) {
        ObjectNode content = Json.object();
        content.putObject("contact").put("phone_number", phone).put("first_name", name);
        return chat().post(this, content);
    }

    /** Sends a message of these fields; what the Bot API has in every message is added where it is absent. */
    default Update sends(JsonNode content) {
        return chat().post(this, content.deepCopy());
    }

    /**
     * Presses the button of a bot's message.
     *
     * @param button its text or its data
     */
    default Update presses(Message message, String button) {
        return chat().press(this, message, button);
    }

    /** Sets the person's reactions to a message, in place of those before. */
    default Update reacts(Message message, List<String> before, List<String> now) {
        return chat().react(this, message, before, now);
    }

    private ObjectNode photo(byte[] jpeg, String caption) {
        StoredFile file = chat().keep("photos", "photo.jpg", "image/jpeg", jpeg);
        ObjectNode content = caption(caption);
        content.set("photo", Shapes.photo(file));
        return content;
    }

    private static ObjectNode text(String text) {
        return Shapes.text("text", new FormattedText(text, List.of()).fixed());
    }

    private static ObjectNode caption(String caption) {
        return caption.isEmpty()
                ? Json.object()
                : Shapes.text("caption", new FormattedText(caption, List.of()).fixed());
    }
}
