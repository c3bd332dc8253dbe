package dev.parley.domain.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts what was said into pieces of a few sentences, each of which has a meaning of its own: the vector of a long message means
 * everything and nothing, and models read only the beginning of long texts.
 */
public final class Passages {
    /** Characters of a piece; longer only where a single word is. About 150 tokens of English. */
    public static final int LONGEST = 600;

    private static final Pattern END = Pattern.compile("(?<=[.!?])\\s+|\\R+");

    /** How a piece is called: the document, the chunk, its number. */
    private static final Pattern ID = Pattern.compile("([0-9a-f-]{36})/([0-9a-f]{12})/(\\d{1,9})");

    private static final int HASH = 12;

    /** A piece of a document. @param type {@code WORLD} where a person says it, {@code EXPERIENCE} where the agent or a tool does */
    public record Passage(FactType type, String text) {}

    private Passages() {}

    /** How a piece of a document is called. @param chunk hash of the chunk that it is in */
    public static String id(UUID document, String chunk, int number) {
        return document + "/" + chunk.substring(0, HASH) + "/" + number;
    }

    /** Whether this is what a piece is called. */
    public static boolean isId(String id) {
        return ID.matcher(id).matches();
    }

    /** The document of a piece that is called so. */
    public static UUID document(String id) {
        return UUID.fromString(id.substring(0, id.indexOf('/')));
    }

    /** The piece of a document that is called so, if it still has it. */
    public static Optional<Passage> find(Document document, String id) {
        Matcher parts = ID.matcher(id);
        if (!parts.matches()) {
            return Optional.empty();
        }
        int number = Integer.parseInt(parts.group(3));
        return document.chunks().stream()
                .filter(chunk -> chunk.hash().startsWith(parts.group(2)))
                .findFirst()
                .flatMap(chunk -> of(document.text(chunk)).stream()
                        .skip(number)
                        .findFirst()
                        .map(text -> new Passage(
                                document.sayings().get(chunk.saying()).type(), text)));
    }

    /** In their order; none of a text that is blank. Cutting a piece gives the piece. */
    public static List<String> of(String text) {
        var pieces = new ArrayList<String>();
        var piece = new StringBuilder();
        for (String sentence : END.split(text)) {
            for (String part : parts(sentence.strip())) {
                if (!piece.isEmpty() && piece.length() + 1 + part.length() > LONGEST) {
                    pieces.add(piece.toString());
                    piece.setLength(0);
                }
                piece.append(piece.isEmpty() ? "" : " ").append(part);
            }
        }
        if (!piece.isEmpty()) {
            pieces.add(piece.toString());
        }
        return pieces;
    }

    /** A sentence that is too long is cut at a space, or anywhere where there is none. */
    private static List<String> parts(String sentence) {
        var parts = new ArrayList<String>();
        String rest = sentence;
        while (rest.length() > LONGEST) {
            int space = rest.lastIndexOf(' ', LONGEST);
            int cut = space > 0 ? space : Character.isHighSurrogate(rest.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
            parts.add(rest.substring(0, cut).strip());
            rest = rest.substring(cut).strip();
        }
        if (!rest.isEmpty()) {
            parts.add(rest);
        }
        return parts;
    }
}
