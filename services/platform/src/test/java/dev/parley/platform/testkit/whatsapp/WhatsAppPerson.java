package dev.parley.platform.testkit.whatsapp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * A person who writes to the business.
 *
 * @param id the business-scoped user id
 */
public record WhatsAppPerson(FakeWhatsApp whatsapp, String id, String phone, String name) {

    /** A message that was sent; it can be brought again. */
    public record Sent(String id, ObjectNode notification) {}

    /** Sends a text. */
    public Sent says(String text) {
        return sends("text", content -> content.put("body", text));
    }

    /** Sends a file. */
    public Sent sendsFile(String caption, String name, String mimeType, byte[] bytes) {
        String media = whatsapp.store(bytes);
        return sends(
                "document",
                content -> content.put("id", media)
                        .put("filename", name)
                        .put("mime_type", mimeType)
                        .put("caption", caption));
    }

    /** Presses a button or row of a message. */
    public Sent presses(WhatsAppMessage message, String data) {
        ObjectNode sent = message("interactive");
        sent.putObject("context").put("from", FakeWhatsApp.NUMBER).put("id", message.id());
        ObjectNode content = sent.putObject("interactive").put("type", "button_reply");
        content.putObject("button_reply").put("id", data).put("title", "pressed");
        return send(sent);
    }

    /** Sends a message of this type. */
    public Sent sends(String type, Consumer<ObjectNode> content) {
        ObjectNode message = message(type);
        content.accept(message.putObject(type));
        return send(message);
    }

    /** A message of a type, which is not sent yet. */
    public ObjectNode message(String type) {
        return FakeWhatsApp.json()
                .put("from", phone)
                .put("from_user_id", id)
                .put("id", whatsapp.nextId())
                .put("timestamp", Long.toString(Instant.now().getEpochSecond()))
                .put("type", type);
    }

    /** Sends a message. */
    public Sent send(ObjectNode message) {
        return whatsapp.bring(this, message);
    }

    /** Gets a new phone number, and so a new user id. */
    public WhatsAppPerson moves() {
        WhatsAppPerson moved = whatsapp.person(name);
        ObjectNode message = message("system");
        message.remove("from");
        message.putObject("system")
                .put("type", "user_changed_user_id")
                .put("previous_user_id", id)
                .put("user_id", moved.id());
        whatsapp.bring(this, message);
        whatsapp.follows(moved, this);
        return moved;
    }

    /** What the business sent, in order. */
    public List<WhatsAppMessage> answers() {
        return whatsapp.messages(id);
    }

    /** Cannot be reached any more. */
    public void closes() {
        whatsapp.close(id);
    }

    /** Last wrote so long ago that only templates arrive. */
    public void wasSilent() {
        whatsapp.silence(id);
    }
}
