package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import java.util.List;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Activities with a text in Markdown, and below it an Adaptive Card with the choices: a few are buttons, more are a
 * list. Messages carry Teams' label for what an AI has written.
 *
 * @see <a href="https://adaptivecards.microsoft.com/?topic=Action.Execute">Action.Execute</a>
 * @see <a href="https://learn.microsoft.com/microsoftteams/platform/bots/how-to/format-ai-bot-messages">the label</a>
 */
final class Cards {
    /** The member of an action's data with the signed choice; also the name of the list. */
    static final String CHOICE = "choice";

    private static final String CARD = "application/vnd.microsoft.card.adaptive";
    /** More buttons are hidden behind three dots. */
    private static final int MAX_BUTTONS = 6;

    private static final int MAX_LISTED = 100;
    private static final int MAX_LABEL = 100;
    private static final int MAX_SUMMARY = 300;

    private Cards() {}

    /**
     * A message.
     *
     * @param markup its text in Markdown; where it is empty, the plain text is shown
     * @param buttons signer of the choices; null to leave them out
     */
    static ObjectNode message(Piece.Words words, String markup, @Nullable Buttons buttons, String chat) {
        ObjectNode activity = TeamsApi.object().put("type", "message");
        if (markup.isEmpty()) {
            activity.put("textFormat", "plain").put("text", words.plain());
        } else {
            activity.put("textFormat", "markdown").put("text", markup);
        }
        activity.put("summary", ClippedText.within(words.plain(), MAX_SUMMARY));
        label(activity.putArray("entities"));
        activity.putObject("channelData").putObject("feedbackLoop").put("type", "default");
        if (buttons != null && !words.choices().isEmpty()) {
            ObjectNode attachment = activity.putArray("attachments").addObject().put("contentType", CARD);
            attachment.set("content", choices(words.choices(), buttons, chat));
        }
        return activity;
    }

    /** A small picture in a message. */
    static ObjectNode picture(Piece.Document file) {
        ObjectNode activity = TeamsApi.object().put("type", "message").put("summary", file.name());
        label(activity.putArray("entities"));
        activity.putArray("attachments")
                .addObject()
                .put("contentType", file.mimeType())
                .put("name", file.name())
                .put(
                        "contentUrl",
                        "data:" + file.mimeType() + ";base64,"
                                + ByteString.of(file.bytes()).base64());
        return activity;
    }

    private static void label(ArrayNode entities) {
        entities.addObject()
                .put("type", "https://schema.org/Message")
                .put("@type", "Message")
                .put("@context", "https://schema.org")
                .putArray("additionalType")
                .add("AIGeneratedContent");
    }

    /** A card without contents. */
    static ObjectNode card() {
        return TeamsApi.object()
                .put("type", "AdaptiveCard")
                .put("$schema", "http://adaptivecards.io/schemas/adaptive-card.json")
                .put("version", "1.4");
    }

    private static ObjectNode choices(List<Choice> choices, Buttons buttons, String chat) {
        ObjectNode card = card();
        ArrayNode body = card.putArray("body");
        ArrayNode actions = card.putArray("actions");
        if (choices.size() <= MAX_BUTTONS) {
            for (Choice choice : choices) {
                action(actions.addObject(), label(choice), CHOICE, buttons.data(chat, choice));
            }
        } else {
            list(body, choices, buttons, chat);
            action(actions.addObject(), "OK", CHOICE, null);
        }
        return card;
    }

    /**
     * Makes an action. Clients that do not know it send the same data as a message.
     *
     * @param member of its data with the value
     * @param value null where an input has it
     */
    static void action(ObjectNode action, String title, String member, @Nullable String value) {
        action.put("type", "Action.Execute").put("title", title).put("verb", member);
        ObjectNode fallback =
                action.putObject("fallback").put("type", "Action.Submit").put("title", title);
        if (value != null) {
            action.putObject("data").put(member, value);
            fallback.putObject("data").put(member, value);
        }
    }

    private static void list(ArrayNode body, List<Choice> choices, Buttons buttons, String chat) {
        ArrayNode listed = body.addObject()
                .put("type", "Input.ChoiceSet")
                .put("id", CHOICE)
                .put("style", "compact")
                .put("isRequired", true)
                .put("errorMessage", "…")
                .putArray("choices");
        for (Choice choice : choices.subList(0, Math.min(MAX_LISTED, choices.size()))) {
            listed.addObject().put("title", label(choice)).put("value", buttons.data(chat, choice));
        }
    }

    private static String label(Choice choice) {
        return ClippedText.within(choice.label(), MAX_LABEL);
    }
}
