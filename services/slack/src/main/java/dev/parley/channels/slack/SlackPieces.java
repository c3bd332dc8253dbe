package dev.parley.channels.slack;

import dev.parley.channels.chat.markup.MarkdownDocument;
import dev.parley.channels.chat.markup.MarkdownDocument.Part;
import dev.parley.channels.chat.markup.MarkdownDocument.Prose;
import dev.parley.channels.chat.markup.MarkdownDocument.Table;
import dev.parley.channels.chat.markup.MarkupDialect;
import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.contract.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Splits a reply into messages. A reply that mrkdwn can say is sent in sections; one with a heading, a table, a list in a
 * list, or more text than a section takes, as Markdown and tables, whose fallback is sections as well.
 */
final class SlackPieces {
    static final MarkupDialect MARKUP = new SlackMarkup();
    /** Characters of Markdown in a message; Slack takes 12,000, in which {@code <} may take two. */
    static final int MAX_MARKDOWN = 11_000;

    private static final int MAX_SECTION_TEXT = 2_900;
    /** All blocks of a message together; Slack takes some 13,200 characters. */
    private static final int MAX_BLOCKS_TEXT = 12_500;

    /** A message has 50 blocks; some are left for buttons. */
    private static final int MAX_BLOCKS = 45;

    private SlackPieces() {}

    /** The messages of a reply: at least one, none of them empty. */
    static List<Piece> of(String text) {
        return MarkdownDocument.read(text)
                .filter(SlackPieces::isRich)
                .map(SlackPieces::rich)
                .orElseGet(() -> simple(text));
    }

    private static List<Piece> simple(String text) {
        List<Piece> pieces = MarkupPieces.of(text, MARKUP);
        String source = pieces.size() == 1 ? text : "";
        return pieces.stream()
                .map(piece ->
                        piece instanceof Piece.Words words && !words.markup().isEmpty()
                                ? SlackMessageText.section(words, source)
                                : piece)
                .toList();
    }

    private static boolean isRich(MarkdownDocument document) {
        int length = document.parts().stream()
                .mapToInt(part -> part.source().length())
                .sum();
        return length > MAX_SECTION_TEXT
                || document.parts().stream()
                        .anyMatch(part -> part instanceof Table || part instanceof Prose prose && prose.rich());
    }

    private static List<Piece> rich(MarkdownDocument document) {
        var pieces = new ArrayList<Piece>();
        var group = new ArrayList<Part>();
        for (Part part : document.parts()) {
            if (!fits(group, part)) {
                pieces.addAll(pieces(group));
                group.clear();
            }
            group.add(part);
        }
        pieces.addAll(pieces(group));
        return pieces;
    }

    /** A message has one table at most. */
    private static boolean fits(List<Part> group, Part next) {
        int length = group.stream().mapToInt(part -> part.source().length()).sum();
        boolean twoTables = next instanceof Table && group.stream().anyMatch(Table.class::isInstance);
        return group.isEmpty()
                || !twoTables && length + next.source().length() <= MAX_MARKDOWN && group.size() + 1 <= MAX_BLOCKS;
    }

    /** One message, or several as sections where one cannot show all of the parts. */
    private static List<Piece> pieces(List<Part> parts) {
        String source = parts.stream().map(Part::source).collect(Collectors.joining());
        if (source.isBlank()) {
            return List.of();
        }
        boolean shown = source.length() <= MAX_MARKDOWN
                && parts.stream().allMatch(part -> !(part instanceof Table table) || SlackTable.fits(table));
        Optional<List<Piece.Words>> sections =
                shown ? MarkupPieces.texts(source, MARKUP).filter(SlackPieces::fitInOne) : Optional.empty();
        return sections.isEmpty() ? simple(source) : List.of(SlackMessageText.rich(parts, source, sections.get()));
    }

    private static boolean fitInOne(List<Piece.Words> sections) {
        return !sections.isEmpty()
                && sections.size() <= MAX_BLOCKS
                && sections.stream().mapToInt(words -> words.markup().length()).sum() <= MAX_BLOCKS_TEXT;
    }
}
