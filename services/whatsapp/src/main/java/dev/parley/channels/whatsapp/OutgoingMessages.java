package dev.parley.channels.whatsapp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Messages as the Cloud API takes them. Sizes are in UTF-16 units.
 *
 * @see <a
 *     href="https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/interactive-list-messages">lists</a>
 */
final class OutgoingMessages {
    /** The longest text above buttons; older documents name it for lists, too. */
    static final int MAX_BODY = 1_024;

    /** The longest parameter of a template. */
    static final int MAX_PARAMETER = 1_024;

    /** The most choices that can be shown to be pressed. */
    static final int MAX_ROWS = 10;

    private static final int MAX_BUTTONS = 3;
    private static final int MAX_BUTTON = 20;
    private static final int MAX_ROW = 24;
    private static final int MAX_DESCRIPTION = 72;
    private static final String CHOOSE = "Choose";

    private OutgoingMessages() {}

    /**
     * A message without content. Its delivery returns in the reports about it.
     *
     * <p>A user id in the field for phone numbers is accepted and dropped, and where both fields are there, that one wins.
     */
    static ObjectNode to(ConversationAddress to, Delivery delivery) {
        ObjectNode message = WhatsAppApi.message()
                .put("recipient_type", "individual")
                .put(isUserId(to.chat()) ? "recipient" : "to", to.chat())
                .put("biz_opaque_callback_data", delivery.id());
        if (delivery.answers() != null) {
            message.putObject("context").put("message_id", delivery.answers());
        }
        return message;
    }

    private static boolean isUserId(String chat) {
        return chat.indexOf('.') >= 0;
    }

    /** A text with up to ten choices. */
    static ObjectNode words(ObjectNode message, Piece.Words words, String chat, Buttons buttons) {
        if (words.choices().isEmpty()) {
            message.put("type", "text")
                    .putObject("text")
                    .put("preview_url", false)
                    .put("body", text(words));
            return message;
        }
        ObjectNode interactive = message.put("type", "interactive").putObject("interactive");
        boolean areButtons = areButtons(words.choices());
        interactive.put("type", areButtons ? "button" : "list");
        interactive.putObject("body").put("text", ClippedText.within(text(words), MAX_BODY));
        if (areButtons) {
            buttons(interactive.putObject("action").putArray("buttons"), words.choices(), chat, buttons);
        } else {
            ObjectNode action = interactive.putObject("action").put("button", CHOOSE);
            rows(action.putArray("sections").addObject().putArray("rows"), words.choices(), chat, buttons);
        }
        return message;
    }

    private static String text(Piece.Words words) {
        return words.markup().isEmpty() ? words.plain() : words.markup();
    }

    /** Buttons have short and different labels. */
    private static boolean areButtons(List<Choice> choices) {
        return choices.size() <= MAX_BUTTONS
                && choices.stream().allMatch(choice -> choice.label().length() <= MAX_BUTTON)
                && choices.stream().map(Choice::label).distinct().count() == choices.size();
    }

    private static void buttons(ArrayNode array, List<Choice> choices, String chat, Buttons buttons) {
        for (Choice choice : choices) {
            array.addObject()
                    .put("type", "reply")
                    .putObject("reply")
                    .put("id", buttons.data(chat, choice))
                    .put("title", choice.label());
        }
    }

    private static void rows(ArrayNode array, List<Choice> choices, String chat, Buttons buttons) {
        for (Choice choice : choices.subList(0, Math.min(MAX_ROWS, choices.size()))) {
            ObjectNode row = array.addObject()
                    .put("id", buttons.data(chat, choice))
                    .put("title", ClippedText.within(choice.label(), MAX_ROW));
            if (choice.label().length() > MAX_ROW) {
                row.put("description", ClippedText.within(choice.label(), MAX_DESCRIPTION));
            }
        }
    }

    /** Choices as a numbered list, for those that are too many to be pressed. */
    static String numbered(List<Choice> choices) {
        return IntStream.range(0, choices.size())
                .mapToObj(i -> "%d. %s".formatted(i + 1, choices.get(i).label()))
                .collect(Collectors.joining("\n"));
    }

    /** The question below a text that is too long for choices. */
    static Piece.Words question(List<Choice> choices) {
        return Piece.Words.plain(CHOOSE + ":").with(choices);
    }

    /** A text as the one parameter of a template, which has neither lines nor buttons. */
    static String parameter(Piece.Words words) {
        String text = text(words);
        String choices = words.choices().isEmpty() ? "" : "\n" + numbered(words.choices());
        return (text + choices).strip().replaceAll("\\s*\\n\\s*", " · ").replaceAll("\\s{2,}", " ");
    }

    /**
     * A message by a template with one parameter in its body.
     *
     * @param template name and language, separated by a slash
     */
    static ObjectNode template(ObjectNode message, String template, String parameter) {
        String[] parts = template.split("/", 2);
        ObjectNode content = message.put("type", "template").putObject("template");
        content.put("name", parts[0]).putObject("language").put("code", parts[1]);
        content.putArray("components")
                .addObject()
                .put("type", "body")
                .putArray("parameters")
                .addObject()
                .put("type", "text")
                .put("text", parameter);
        return message;
    }
}
