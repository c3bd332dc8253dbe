package dev.parley.domain.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Cuts what was said into pieces of a few sentences, each of which has a meaning of its own: the vector of a long message means
 * everything and nothing, and models read only the beginning of long texts.
 */
public final class Passages {
    /** Characters of a piece; longer only where a single word is. About 150 tokens of English. */
    public static final int LONGEST = 600;

    private static final Pattern END = Pattern.compile("(?<=[.!?])\\s+|\\R+");

    private Passages() {}

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
