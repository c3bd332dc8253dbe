package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import java.util.List;
import okio.ByteString;

/**
 * Messages as Discord wants them. What a model writes pings nobody and shows no previews: whatever its addresses lead to would be fetched.
 *
 * @see <a href="https://docs.discord.com/developers/resources/message#create-message">Create Message</a>
 */
final class Messages {
    private static final int NO_PREVIEWS = 4;
    private static final int NONCE = 25;
    private static final int ROW = 1;
    private static final int BUTTON = 2;
    private static final int GREY = 2;
    private static final int MOST_ROWS = 5;
    private static final int MOST_IN_ROW = 5;
    private static final int MOST_LABEL = 80;

    private final Buttons buttons;

    Messages(Buttons buttons) {
        this.buttons = buttons;
    }

    /** The same, and it pings nobody. */
    static ObjectNode unpinging(ObjectNode message) {
        message.putObject("allowed_mentions").putArray("parse");
        return message;
    }

    /** A text, with what can be chosen below it; without choices, none of an earlier one stay. */
    ObjectNode words(String chat, Piece.Words words) {
        ObjectNode message = unpinging(DiscordApi.json())
                .put("content", words.markup().isEmpty() ? DiscordMarkup.plain(words.plain()) : words.markup())
                .put("flags", NO_PREVIEWS);
        message.set("components", components(chat, words.choices()));
        return message;
    }

    /** A file, with words above it. */
    static ObjectNode file(Piece.Document file) {
        ObjectNode message = unpinging(DiscordApi.json());
        if (!file.caption().plain().isEmpty()) {
            message.put("content", DiscordMarkup.plain(file.caption().plain()));
        }
        message.putArray("attachments").addObject().put("id", 0).put("filename", file.name());
        return message;
    }

    /**
     * The same as a delivery: within some minutes Discord gives the message that it has for a nonce and makes no other.
     *
     * @param once whether that is wanted
     */
    static ObjectNode delivered(ObjectNode message, Delivery delivery, boolean once) {
        if (once) {
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

    /** A row for each choice, or rows of five where there are more; Discord shows 25. */
    private ArrayNode components(String chat, List<Choice> choices) {
        ArrayNode rows = DiscordApi.list();
        int inRow = choices.size() > MOST_ROWS ? MOST_IN_ROW : 1;
        ArrayNode row = rows;
        for (int i = 0; i < Math.min(choices.size(), MOST_ROWS * MOST_IN_ROW); i++) {
            if (i % inRow == 0) {
                row = rows.addObject().put("type", ROW).putArray("components");
            }
            Choice choice = choices.get(i);
            row.addObject()
                    .put("type", BUTTON)
                    .put("style", GREY)
                    .put("label", label(choice.label()))
                    .put("custom_id", buttons.data(chat, choice));
        }
        return rows;
    }

    private static String label(String label) {
        if (label.length() <= MOST_LABEL) {
            return label;
        }
        int end = Character.isHighSurrogate(label.charAt(MOST_LABEL - 2)) ? MOST_LABEL - 2 : MOST_LABEL - 1;
        return label.substring(0, end) + "…";
    }
}
