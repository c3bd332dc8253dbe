package dev.parley.channels.chat.markup;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes messages of a platform of what a model writes: Markdown, with tables, strikethrough and tasks as on GitHub. */
public final class Markup {
    /** A reply above this is a file: nobody reads so many messages. In characters. */
    static final int MOST = 1 << 16;

    /** How much of a file's beginning is looked at for the message that comes before it, and of a draft's end. */
    private static final int PIECE = 1 << 14;

    private Markup() {}

    /** The messages that say this, in order. Their texts together have every letter and digit that is to be seen in it. */
    public static List<Chunk> chunks(String markdown, Dialect dialect) {
        return parts(markdown, true).map(parts -> chunks(parts, dialect)).orElseGet(() -> file(markdown, dialect));
    }

    /** One message for a reply that is still growing: as much of its end as fits. None while there is nothing to see. */
    public static Optional<Chunk.Message> draft(String markdown, Dialect dialect) {
        return parts(markdown, false).or(() -> parts(end(markdown), false)).flatMap(parts -> tail(parts, dialect));
    }

    private static Optional<List<Part>> parts(String markdown, boolean files) {
        return markdown.length() > MOST
                ? Optional.empty()
                : MarkdownReader.read(Characters.normal(markdown), files, MOST);
    }

    private static List<Chunk> chunks(List<Part> parts, Dialect dialect) {
        var chunks = new ArrayList<Chunk>();
        for (Part part : parts) {
            switch (part) {
                case Part.Text text -> chunks.addAll(new Cutter(text.styled(), dialect).chunks());
                case Part.File file -> chunks.add(file.document());
            }
        }
        return List.copyOf(chunks);
    }

    private static List<Chunk> file(String markdown, Dialect dialect) {
        var chunks = new ArrayList<Chunk>();
        parts(markdown.substring(0, Math.min(PIECE, markdown.length())), false)
                .map(parts -> chunks(parts, dialect))
                .orElse(List.of())
                .stream()
                .limit(1)
                .forEach(chunks::add);
        chunks.add(new Chunk.Document("reply.md", "text/markdown", Characters.visible(Characters.normal(markdown))));
        return List.copyOf(chunks);
    }

    private static Optional<Chunk.Message> tail(List<Part> parts, Dialect dialect) {
        return parts.stream()
                .flatMap(part -> part instanceof Part.Text text
                        ? Optional.of(text.styled()).stream()
                        : Optional.<StyledText>empty().stream())
                .findFirst()
                .flatMap(styled -> new Cutter(styled, dialect).tail());
    }

    /** The end of what is too long, from the beginning of a line on; it changes seldom where that is. */
    private static String end(String markdown) {
        int start = Math.max(0, markdown.length() / PIECE * PIECE - PIECE);
        int line = markdown.indexOf('\n', start, Math.min(markdown.length(), start + PIECE / 2));
        return markdown.substring(line < 0 ? start : line + 1);
    }
}
