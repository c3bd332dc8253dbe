package dev.parley.channels.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.markup.MarkdownDocument.Part;
import dev.parley.channels.chat.markup.MarkdownDocument.Prose;
import dev.parley.channels.chat.markup.MarkdownDocument.Table;
import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.contract.Piece;
import dev.parley.platform.json.ExactJson;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The text of one message, as the markup of {@link Piece.Words}: its Markdown, and the blocks that show it, best form
 * first. Where Slack refuses a form, the next one is sent, and at last the plain text.
 *
 * @param markdown as the agent wrote it, for streams; empty where the message cannot continue one
 * @param forms lists of blocks; may be empty
 */
record SlackMessageText(String markdown, List<ArrayNode> forms) {
    private static final ObjectMapper JSON = ExactJson.request();

    SlackMessageText {
        forms = List.copyOf(forms);
    }

    /**
     * A message that a section can show.
     *
     * @param source its Markdown; empty for a part of a reply
     */
    static Piece.Words section(Piece.Words words, String source) {
        ArrayNode blocks = JSON.createArrayNode().add(section(words.markup()));
        return new SlackMessageText(source, List.of(blocks)).asWords(words.plain());
    }

    /** @param sections the same text in mrkdwn */
    static Piece.Words rich(List<Part> parts, String source, List<Piece.Words> sections) {
        ArrayNode fallback = JSON.createArrayNode();
        sections.forEach(words -> fallback.add(section(words.markup())));
        String plain = sections.stream().map(Piece.Words::plain).collect(Collectors.joining("\n\n"));
        return new SlackMessageText(source, List.of(blocks(parts), fallback)).asWords(plain);
    }

    /** Blocks of Markdown and tables. */
    static ArrayNode blocks(List<Part> parts) {
        ArrayNode blocks = JSON.createArrayNode();
        var markdown = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Prose prose when !prose.html() -> markdown.append(prose.source());
                case Prose prose -> {
                    flush(markdown, blocks);
                    MarkupPieces.texts(prose.source(), SlackPieces.MARKUP)
                            .orElse(List.of())
                            .forEach(words -> blocks.add(section(words.markup())));
                }
                case Table table -> {
                    flush(markdown, blocks);
                    blocks.add(SlackTable.block(table));
                }
            }
        }
        flush(markdown, blocks);
        return blocks;
    }

    private static void flush(StringBuilder markdown, ArrayNode blocks) {
        if (!markdown.toString().isBlank()) {
            blocks.addObject()
                    .put("type", "markdown")
                    .put("text", SlackText.quiet(markdown.toString().strip()));
        }
        markdown.setLength(0);
    }

    private static ObjectNode section(String mrkdwn) {
        ObjectNode section = JSON.createObjectNode().put("type", "section").put("expand", true);
        section.putObject("text").put("type", "mrkdwn").put("text", mrkdwn).put("verbatim", true);
        return section;
    }

    private Piece.Words asWords(String plain) {
        ObjectNode markup = JSON.createObjectNode().put("markdown", markdown);
        markup.putArray("forms").addAll(forms);
        return new Piece.Words(markup.toString(), plain);
    }

    /** The forms of a message; none where it is plain. */
    static SlackMessageText of(Piece.Words words) {
        if (words.markup().isEmpty()) {
            return new SlackMessageText("", List.of());
        }
        try {
            JsonNode markup = JSON.readTree(words.markup());
            var forms = new ArrayList<ArrayNode>();
            StreamSupport.stream(markup.path("forms").spliterator(), false)
                    .forEach(form -> forms.add((ArrayNode) form));
            return new SlackMessageText(markup.path("markdown").asText(), forms);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not the markup of a message for Slack", e);
        }
    }
}
