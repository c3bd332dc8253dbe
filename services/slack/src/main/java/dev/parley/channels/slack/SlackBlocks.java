package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import java.util.List;

/**
 * Messages as blocks: those of the text, and a button for each choice. Messages without blocks would be marked as
 * edited each time that they grow.
 *
 * @see <a href="https://docs.slack.dev/reference/block-kit/blocks/section-block">sections</a>
 */
final class SlackBlocks {
    /** The type of the element whose buttons are thumbs. */
    static final String FEEDBACK = "feedback_buttons";

    /** The value of the thumb up. */
    static final String GOOD = "good";

    private static final int MAX_SECTION = 3_000;
    /** Sections of a plain text. */
    private static final int MAX_PLAIN = 20;

    private static final int MAX_LABEL = 75;
    private static final int MAX_BUTTONS = 25;
    /** Text of notifications. */
    private static final int MAX_SUMMARY = 300;

    private SlackBlocks() {}

    /** The parameters with a plain text. */
    static ObjectNode show(ObjectNode params, Piece.Words words) {
        return show(params, words, plain(words), SlackApi.params().arrayNode());
    }

    /**
     * The parameters with a message.
     *
     * @param text blocks with the text
     * @param below blocks below it
     */
    static ObjectNode show(ObjectNode params, Piece.Words words, ArrayNode text, ArrayNode below) {
        params.put("text", SlackText.escape(ClippedText.of(words.plain(), MAX_SUMMARY)));
        params.put("unfurl_links", false).put("unfurl_media", false);
        params.putArray("blocks").addAll(text).addAll(below);
        return params;
    }

    /** Buttons by which the reader says what they think of an answer. */
    static ObjectNode feedback() {
        ObjectNode block = SlackApi.params().put("type", "context_actions");
        ObjectNode buttons =
                block.putArray("elements").addObject().put("type", FEEDBACK).put("action_id", FEEDBACK);
        thumb(buttons.putObject("positive_button"), "👍", GOOD);
        thumb(buttons.putObject("negative_button"), "👎", "bad");
        return block;
    }

    private static void thumb(ObjectNode button, String label, String value) {
        button.put("value", value)
                .putObject("text")
                .put("type", "plain_text")
                .put("text", label)
                .put("emoji", true);
    }

    /** The text without markup: in one section, or where it is longer in several. */
    static ArrayNode plain(Piece.Words words) {
        ArrayNode blocks = SlackApi.params().putArray("blocks");
        String text = words.plain();
        for (int start = 0; start < text.length() && blocks.size() < MAX_PLAIN; ) {
            int end = end(text, start);
            ObjectNode section = blocks.addObject().put("type", "section").put("expand", true);
            section.putObject("text")
                    .put("type", "plain_text")
                    .put("text", text.substring(start, end))
                    .put("emoji", false);
            start = end;
        }
        return blocks;
    }

    /** The end of a section: of a line, where one ends in its second half, and no half of a character. */
    private static int end(String text, int start) {
        int most = start + MAX_SECTION;
        if (most >= text.length()) {
            return text.length();
        }
        int line = text.lastIndexOf('\n', most - 1) + 1;
        return line > start + MAX_SECTION / 2 ? line : Character.isLowSurrogate(text.charAt(most)) ? most - 1 : most;
    }

    static ObjectNode buttons(List<Choice> choices, Buttons buttons, String chat) {
        ObjectNode block = SlackApi.params().put("type", "actions").put("block_id", "choices");
        ArrayNode elements = block.putArray("elements");
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
        return block;
    }
}
