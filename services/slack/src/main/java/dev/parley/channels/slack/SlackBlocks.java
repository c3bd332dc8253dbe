package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages as blocks: a section with the text, and a button for each choice. Messages without blocks would be marked as
 * edited each time that they grow.
 *
 * @see <a href="https://docs.slack.dev/reference/block-kit/blocks/section-block">sections</a>
 */
final class SlackBlocks {
    private static final int MAX_SECTION = 3_000;
    private static final int MAX_LABEL = 75;
    private static final int MAX_BUTTONS = 25;
    /** Text of notifications. */
    private static final int MAX_SUMMARY = 300;

    private SlackBlocks() {}

    /**
     * The parameters with a text, without choices.
     *
     * @param markup the text in mrkdwn, or empty
     */
    static ObjectNode show(ObjectNode params, Piece.Words words, String markup) {
        return show(params, words, markup, null, "");
    }

    /** @param buttons signer of the choices; null where there are none */
    static ObjectNode show(
            ObjectNode params, Piece.Words words, String markup, @Nullable Buttons buttons, String chat) {
        params.put("text", SlackText.escape(ClippedText.of(words.plain(), MAX_SUMMARY)));
        params.put("unfurl_links", false).put("unfurl_media", false);
        ArrayNode blocks = params.putArray("blocks");
        ObjectNode section = blocks.addObject().put("type", "section").put("expand", true);
        ObjectNode text = section.putObject("text");
        if (markup.isEmpty()) {
            text.put("type", "plain_text").put("text", clip(words.plain())).put("emoji", false);
        } else {
            text.put("type", "mrkdwn").put("text", markup).put("verbatim", true);
        }
        if (buttons != null && !words.choices().isEmpty()) {
            buttons(blocks, words.choices(), buttons, chat);
        }
        return params;
    }

    private static String clip(String text) {
        return ClippedText.of(text, MAX_SECTION - 1);
    }

    private static void buttons(ArrayNode blocks, List<Choice> choices, Buttons buttons, String chat) {
        ArrayNode elements = blocks.addObject()
                .put("type", "actions")
                .put("block_id", "choices")
                .putArray("elements");
        int number = 0;
        for (Choice choice : choices.subList(0, Math.min(MAX_BUTTONS, choices.size()))) {
            ObjectNode button = elements.addObject()
                    .put("type", "button")
                    .put("action_id", "choice-" + number++)
                    .put("value", buttons.data(chat, choice));
            button.putObject("text")
                    .put("type", "plain_text")
                    .put("text", ClippedText.of(choice.label(), MAX_LABEL - 1))
                    .put("emoji", true);
        }
    }
}
