package dev.parley.domain.memory.machine;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.FactType;
import dev.parley.language.text.Clip;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits texts into passages of a few sentences, each with an embedding of its own: the vector of a long text is
 * unspecific, and embedding models read only its beginning.
 */
public final class Passages {
    /** Maximum characters of a passage, unless a single word is longer. About 150 tokens of English. */
    public static final int MAX_LENGTH = 600;

    private static final Pattern END = Pattern.compile("(?<=[.!?])\\s+|\\R+");

    /** Passage id: document, chunk, index. */
    private static final Pattern ID = Pattern.compile("([0-9a-f-]{36})/([0-9a-f]{12})/(\\d{1,9})");

    private static final int HASH = 12;

    /**
     * A passage of a document.
     *
     * @param type {@code WORLD} for a person's words, {@code EXPERIENCE} for those of the agent or a tool
     */
    public record Passage(FactType type, String text) {}

    private Passages() {}

    /**
     * The id of a passage.
     *
     * @param chunk hash of its chunk
     */
    public static String id(UUID document, String chunk, int number) {
        return document + "/" + chunk.substring(0, HASH) + "/" + number;
    }

    /** Whether this is the id of a passage. */
    public static boolean isId(String id) {
        return ID.matcher(id).matches();
    }

    /** The document of a passage id. */
    public static UUID document(String id) {
        return Ids.parse(id.substring(0, id.indexOf('/')));
    }

    /** The passage of this id, if the document still contains it. */
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

    /** The passages of a text in order; none if it is blank. A passage is its own only passage. */
    public static List<String> of(String text) {
        var pieces = new ArrayList<String>();
        var piece = new StringBuilder();
        for (String sentence : END.split(text)) {
            for (String part : parts(sentence.strip())) {
                if (!piece.isEmpty() && piece.length() + 1 + part.length() > MAX_LENGTH) {
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

    /** Splits a sentence that is too long at spaces, or anywhere if there are none. */
    private static List<String> parts(String sentence) {
        var parts = new ArrayList<String>();
        String remainder = sentence;
        while (remainder.length() > MAX_LENGTH) {
            int space = remainder.lastIndexOf(' ', MAX_LENGTH);
            int cut = space > 0 ? space : Clip.start(remainder, MAX_LENGTH).length();
            parts.add(remainder.substring(0, cut).strip());
            remainder = remainder.substring(cut).strip();
        }
        if (!remainder.isEmpty()) {
            parts.add(remainder);
        }
        return parts;
    }
}
