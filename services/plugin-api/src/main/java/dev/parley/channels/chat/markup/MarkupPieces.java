package dev.parley.channels.chat.markup;

import dev.parley.channels.contract.Piece;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Messages and files of a reply, in the markup of a platform. */
public final class MarkupPieces {
    private static final Piece.Words NOTHING = Piece.Words.plain("…");

    private MarkupPieces() {}

    /**
     * A whole reply.
     *
     * @return at least one piece
     */
    public static List<Piece> of(String text, MarkupDialect dialect) {
        List<Piece> pieces =
                Markup.chunks(text, dialect).stream().map(MarkupPieces::piece).toList();
        return answer(pieces);
    }

    /**
     * The messages of an answer, which begins with a text: what showed it while it grew becomes that text, and no
     * message becomes a file.
     *
     * @return at least one piece
     */
    public static List<Piece> answer(List<Piece> pieces) {
        if (pieces.isEmpty()) {
            return List.of(NOTHING);
        }
        return pieces.getFirst() instanceof Piece.Document file
                ? Stream.concat(Stream.of(file.caption()), pieces.stream()).toList()
                : pieces;
    }

    /** A message or a file. */
    public static Piece piece(MessageChunk chunk) {
        return switch (chunk) {
            case MessageChunk.Message message -> words(message);
            case MessageChunk.Document file ->
                new Piece.Document(
                        file.name(),
                        file.mimeType(),
                        file.content().getBytes(StandardCharsets.UTF_8),
                        Piece.Words.plain(file.name()));
        };
    }

    /** A reply without files, whatever is long; empty where it is too long. */
    public static Optional<List<Piece.Words>> texts(String text, MarkupDialect dialect) {
        return Markup.texts(text, dialect)
                .map(chunks -> chunks.stream()
                        .flatMap(chunk -> chunk instanceof MessageChunk.Message message
                                ? Stream.of(words(message))
                                : Stream.<Piece.Words>empty())
                        .toList());
    }

    /** One message with as much of a growing reply as fits. */
    public static Piece.Words draft(String text, MarkupDialect dialect) {
        return Markup.draft(text, dialect).map(MarkupPieces::words).orElse(NOTHING);
    }

    private static Piece.Words words(MessageChunk.Message message) {
        return new Piece.Words(message.markup(), message.plain());
    }
}
