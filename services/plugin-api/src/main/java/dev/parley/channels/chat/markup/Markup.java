package dev.parley.channels.chat.markup;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.commonmark.node.Node;

/** Messages of a platform from the Markdown of a model, with tables, strikethrough and tasks as on GitHub. */
public final class Markup {
    /** Longer replies, in characters, are sent as a file. */
    static final int MOST = 1 << 16;

    /** Number of characters shown of the beginning of a file, before it, and of the end of a draft. */
    private static final int PIECE = 1 << 14;

    private Markup() {}

    /** The messages, in order. Together they contain every visible letter and digit. */
    public static List<MessageChunk> chunks(String markdown, MarkupDialect dialect) {
        return parts(markdown, true, dialect)
                .map(parts -> chunks(parts, dialect))
                .orElseGet(() -> file(markdown, dialect));
    }

    /** The messages without files, whatever is long; empty where it is too long. */
    static Optional<List<MessageChunk>> texts(String markdown, MarkupDialect dialect) {
        return parts(markdown, false, dialect).map(parts -> chunks(parts, dialect));
    }

    /** One message with as much of the end of a growing reply as fits; empty while nothing is visible. */
    public static Optional<MessageChunk.Message> draft(String markdown, MarkupDialect dialect) {
        return parts(markdown, false, dialect)
                .or(() -> parts(end(markdown), false, dialect))
                .flatMap(parts -> tail(parts, dialect));
    }

    /** The text as {@link #parse} needs it: composed, with plain line ends and whole characters. */
    public static String normal(String markdown) {
        return Characters.normal(markdown);
    }

    /**
     * The tree of a Markdown text, with the places of its nodes in the text.
     *
     * @throws IllegalArgumentException where a table has more cells than a text can have
     */
    public static Node parse(String markdown) {
        return MarkdownReader.LOCATING.parse(markdown);
    }

    private static Optional<List<ReplyPart>> parts(String markdown, boolean files, MarkupDialect dialect) {
        return markdown.length() > MOST
                ? Optional.empty()
                : MarkdownReader.read(Characters.normal(markdown), files, MOST, dialect.columns());
    }

    private static List<MessageChunk> chunks(List<ReplyPart> parts, MarkupDialect dialect) {
        var chunks = new ArrayList<MessageChunk>();
        for (ReplyPart part : parts) {
            switch (part) {
                case ReplyPart.Text text -> chunks.addAll(new MessageSplitter(text.styled(), dialect).chunks());
                case ReplyPart.File file -> chunks.add(file.document());
            }
        }
        return List.copyOf(chunks);
    }

    private static List<MessageChunk> file(String markdown, MarkupDialect dialect) {
        var chunks = new ArrayList<MessageChunk>();
        parts(markdown.substring(0, Math.min(PIECE, markdown.length())), false, dialect)
                .map(parts -> chunks(parts, dialect))
                .orElse(List.of())
                .stream()
                .limit(1)
                .forEach(chunks::add);
        chunks.add(new MessageChunk.Document(
                "reply.md", "text/markdown", Characters.visible(Characters.normal(markdown))));
        return List.copyOf(chunks);
    }

    private static Optional<MessageChunk.Message> tail(List<ReplyPart> parts, MarkupDialect dialect) {
        return parts.stream()
                .flatMap(part -> part instanceof ReplyPart.Text text
                        ? Optional.of(text.styled()).stream()
                        : Optional.<StyledText>empty().stream())
                .findFirst()
                .flatMap(styled -> new MessageSplitter(styled, dialect).tail());
    }

    /** The end of a long text from the start of a line; the position changes rarely. */
    private static String end(String markdown) {
        int start = Math.max(0, markdown.length() / PIECE * PIECE - PIECE);
        int line = markdown.indexOf('\n', start, Math.min(markdown.length(), start + PIECE / 2));
        return markdown.substring(line < 0 ? start : line + 1);
    }
}
