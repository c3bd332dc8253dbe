package dev.parley.channels.teams;

import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Files as messages: Teams takes files of a bot only with the consent of each person. Small pictures stand in a
 * message, texts are shown as code; others are refused.
 */
final class TextFiles {
    /** In bytes: pictures are sent in base64, in a message of some 100 KB. */
    static final int LARGEST = 40 << 10;

    private static final Set<String> PICTURES = Set.of("image/png", "image/jpeg", "image/gif");
    private static final int MAX_CODE = 7_000;
    /** Longer texts end with a line that says so. */
    private static final int MAX_MESSAGES = 40;

    private static final String FENCE = "```";
    private static final char ZERO_WIDTH_SPACE = '\u200B';

    private TextFiles() {}

    static boolean isPicture(Piece.Document file) {
        return PICTURES.contains(file.mimeType());
    }

    /** The messages that show a piece of a reply, whose files are texts. */
    static List<Piece> shown(Piece piece) {
        return switch (piece) {
            case Piece.Words words -> List.of(words);
            case Piece.Document file -> messages(new String(file.bytes(), StandardCharsets.UTF_8));
        };
    }

    private static List<Piece> messages(String text) {
        var messages = new ArrayList<Piece>();
        int start = 0;
        while (start < text.length() && messages.size() < MAX_MESSAGES) {
            int end = end(text, start);
            messages.add(code("", text.substring(start, end)));
            start = end;
        }
        if (start < text.length()) {
            messages.add(
                    Piece.Words.plain("… %,d more characters are not shown in Teams".formatted(text.length() - start)));
        }
        return messages;
    }

    /** The end of a message, after a line if possible. */
    private static int end(String text, int start) {
        int most = Math.min(text.length(), start + MAX_CODE);
        if (most == text.length()) {
            return most;
        }
        int line = text.lastIndexOf('\n', most - 1) + 1;
        int end = line > start + MAX_CODE / 2 ? line : most;
        return Character.isLowSurrogate(text.charAt(end)) ? end - 1 : end;
    }

    /** A short text file as a message. @throws SendFailure where it is no text, or too long */
    static Piece.Words words(Piece.Document file) throws SendFailure {
        String text = text(file).orElse("");
        if (text.isBlank() || text.length() > MAX_CODE) {
            throw new SendFailure(Kind.REFUSED, "Teams takes pictures and short texts of a bot only", null);
        }
        return code(file.name() + "\n\n", text);
    }

    private static Optional<String> text(Piece.Document file) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(file.bytes()))
                    .toString();
            return text.indexOf('\0') < 0 ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static Piece.Words code(String before, String text) {
        String code = text.strip().replace(FENCE, "``" + ZERO_WIDTH_SPACE + "`");
        return new Piece.Words(
                before.replaceAll("[*_\\[\\]<>`]", " ") + FENCE + "\n" + code + "\n" + FENCE, before + text);
    }
}
