package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import java.util.List;
import java.util.Optional;
import okio.ByteString;

/**
 * Messages in Discord's format. Mentions in model output notify no one, and links show no previews, for which
 * Discord would fetch their URLs.
 *
 * @see <a href="https://docs.discord.com/developers/resources/message#create-message">Create Message</a>
 */
final class DiscordMessages {
    static final int NO_PREVIEWS = 4;
    private static final int NONCE = 25;
    private static final int ROW = 1;
    private static final int BUTTON = 2;
    private static final int GREY = 2;
    private static final int MAX_ROWS = 5;
    private static final int MAX_IN_ROW = 5;
    private static final int MAX_LABEL = 80;

    private final Buttons buttons;

    DiscordMessages(Buttons buttons) {
        this.buttons = buttons;
    }

    /** Disables mentions. */
    static ObjectNode withoutMentions(ObjectNode message) {
        message.putObject("allowed_mentions").putArray("parse");
        return message;
    }

    /** A text without buttons. */
    static ObjectNode content(String markup) {
        ObjectNode message =
                withoutMentions(DiscordApi.json()).put("content", markup).put("flags", NO_PREVIEWS);
        message.putArray("components");
        return message;
    }

    /** A text with its choices; without choices, those of an earlier version are removed. */
    ObjectNode words(String chat, Piece.Words words) {
        ObjectNode message = content(DiscordComponents.withoutMarks(markup(words)));
        message.set("components", rows(chat, words.choices()));
        return message;
    }

    private static String markup(Piece.Words words) {
        return words.markup().isEmpty() ? DiscordMarkup.fromPlain(words.plain()) : words.markup();
    }

    /** Whether a text is better shown as components. */
    static boolean hasComponents(Piece.Words words) {
        return !words.choices().isEmpty() || DiscordComponents.hasTable(words.markup());
    }

    /** The same as components; empty where they would be too many. */
    Optional<ObjectNode> components(String chat, Piece.Words words) {
        return DiscordComponents.message(markup(words), rows(chat, words.choices()));
    }

    /** A file with a text. */
    static ObjectNode file(Piece.Document file) {
        ObjectNode message = withoutMentions(DiscordApi.json());
        if (!file.caption().plain().isEmpty()) {
            message.put("content", DiscordMarkup.fromPlain(file.caption().plain()));
        }
        message.putArray("attachments").addObject().put("id", 0).put("filename", file.name());
        return message;
    }

    /**
     * Adds the delivery: for some minutes Discord returns the existing message of a nonce.
     *
     * @param isDeduplicated whether the message has a nonce
     */
    static ObjectNode addDelivery(ObjectNode message, Delivery delivery, boolean isDeduplicated) {
        if (isDeduplicated) {
            String nonce = ByteString.encodeUtf8(delivery.id()).sha256().hex().substring(0, NONCE);
            message.put("nonce", nonce).put("enforce_nonce", true);
        }
        if (delivery.answers() != null) {
            message.putObject("message_reference")
                    .put("message_id", delivery.answers())
                    .put("fail_if_not_exists", false);
        }
        return message;
    }

    /** One choice per row, or rows of five; Discord shows 25. */
    private ArrayNode rows(String chat, List<Choice> choices) {
        ArrayNode rows = DiscordApi.list();
        int inRow = choices.size() > MAX_ROWS ? MAX_IN_ROW : 1;
        ArrayNode row = rows;
        for (int i = 0; i < Math.min(choices.size(), MAX_ROWS * MAX_IN_ROW); i++) {
            if (i % inRow == 0) {
                row = rows.addObject().put("type", ROW).putArray("components");
            }
            Choice choice = choices.get(i);
            row.addObject()
                    .put("type", BUTTON)
                    .put("style", GREY)
                    .put("label", ClippedText.within(choice.label(), MAX_LABEL))
                    .put("custom_id", buttons.data(chat, choice));
        }
        return rows;
    }
}
