package dev.parley.channels.discord;

import dev.parley.channels.chat.markup.MarkdownSection;
import dev.parley.channels.chat.markup.Markup;
import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.chat.markup.MessageChunk;
import dev.parley.channels.contract.Piece;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of an answer that has tables: as many of its parts in one as its text form holds, so that each message can
 * be sent as a text where Discord refuses its components. A part is a short table, or as much of a long one or of the
 * text between two as a message takes.
 */
final class DiscordPieces {
    private static final String BETWEEN = "\n\n";
    private static final DiscordMarkup MARKUP = new DiscordMarkup();

    private final List<Piece> pieces = new ArrayList<>();
    private final StringBuilder markup = new StringBuilder();
    private final StringBuilder plain = new StringBuilder();
    private int length;

    private DiscordPieces() {}

    /** The messages of an answer; at least one. */
    static List<Piece> of(String text) {
        List<MarkdownSection> sections = MarkdownSection.of(text);
        if (sections.stream().noneMatch(MarkdownSection::isTable)) {
            return MarkupPieces.of(text, MARKUP);
        }
        var answer = new DiscordPieces();
        sections.forEach(answer::add);
        answer.finish();
        return MarkupPieces.answer(answer.pieces);
    }

    private void add(MarkdownSection section) {
        for (MessageChunk chunk : Markup.chunks(section.markdown(), MARKUP)) {
            switch (chunk) {
                case MessageChunk.Message message ->
                    add(section.isTable() ? table(message.markup()) : message.markup(), message);
                case MessageChunk.Document file -> {
                    finish();
                    pieces.add(MarkupPieces.piece(file));
                }
            }
        }
    }

    /** Rows are blocks of lines; a table of aligned columns is one of code. */
    private static String table(String markup) {
        String rows = markup.startsWith("```") ? markup : markup.replace(BETWEEN, BETWEEN + DiscordComponents.ROW);
        return DiscordComponents.TABLE + rows + DiscordComponents.TABLE;
    }

    private void add(String part, MessageChunk.Message message) {
        int added = message.markup().length();
        if (length + BETWEEN.length() + added > DiscordMarkup.MAX_LENGTH) {
            finish();
        }
        String between = length == 0 ? "" : BETWEEN;
        markup.append(between).append(part);
        plain.append(between).append(message.plain());
        length += between.length() + added;
    }

    private void finish() {
        if (length > 0) {
            pieces.add(new Piece.Words(markup.toString(), plain.toString()));
        }
        markup.setLength(0);
        plain.setLength(0);
        length = 0;
    }
}
