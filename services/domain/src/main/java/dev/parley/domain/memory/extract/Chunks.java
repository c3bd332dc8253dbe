package dev.parley.domain.memory.extract;

import dev.parley.domain.Sha256;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Content-defined chunking of texts at paragraphs, else sentences, else words.
 *
 * <p>Of the borders in range, the one is taken that the following words select, not the last one. So an insertion
 * changes only the chunks around it, and facts of later ones need not be extracted again.
 */
public final class Chunks {
    /** Maximum characters of a chunk. All but the last have at least half as many, including trailing whitespace. */
    public static final int MAX_LENGTH = 3_000;

    private static final int MIN_LENGTH = MAX_LENGTH / 2;

    /** Number of characters after a border that select it. */
    private static final int CHOOSING = 48;

    private static final Pattern PARAGRAPH = Pattern.compile("\\R[ \\t]*+\\R\\s*+");
    private static final Pattern LINE = Pattern.compile("\\R\\s*+");
    private static final Pattern BLANK = Pattern.compile("\\s++");

    private Chunks() {}

    /**
     * The chunks of a text in order; none if it is blank. A chunk is its own only chunk.
     *
     * @param text of any length; callers enforce a limit
     */
    public static List<TextChunk> of(String text) {
        var chunks = new ArrayList<TextChunk>();
        int to = back(text, 0, text.length());
        for (int from = on(text, 0, to); from < to; ) {
            int border = to - from <= MAX_LENGTH ? to : border(text, from);
            int end = back(text, from, border);
            String piece = text.substring(from, end);
            chunks.add(new TextChunk(chunks.size(), piece, from, end, Sha256.hex(piece)));
            from = on(text, border, to);
        }
        return chunks;
    }

    private static int border(String text, int from) {
        String reach = text.substring(from, from + MAX_LENGTH);
        for (List<Integer> borders :
                List.of(ends(PARAGRAPH, reach), sentences(reach), ends(LINE, reach), ends(BLANK, reach))) {
            if (!borders.isEmpty()) {
                return from + chooseBorder(text, from, borders);
            }
        }
        return Character.isSurrogatePair(text.charAt(from + MAX_LENGTH - 1), text.charAt(from + MAX_LENGTH))
                ? from + MAX_LENGTH - 1
                : from + MAX_LENGTH;
    }

    private static int chooseBorder(String text, int from, List<Integer> borders) {
        int chosen = borders.getLast();
        int smallest = Integer.MAX_VALUE;
        for (int border : borders) {
            int index = from + border;
            int hash = mixHash(text.substring(index, Math.min(text.length(), index + CHOOSING))
                    .hashCode());
            if (hash < smallest) {
                smallest = hash;
                chosen = border;
            }
        }
        return chosen;
    }

    /** A hash that spreads neighbouring numbers. */
    private static int mixHash(int hash) {
        int mixed = hash * 0x9E3779B9;
        return mixed ^ (mixed >>> 15);
    }

    private static List<Integer> ends(Pattern pattern, String reach) {
        var ends = new ArrayList<Integer>();
        for (Matcher matcher = pattern.matcher(reach); matcher.find(); ) {
            if (matcher.end() >= MIN_LENGTH && matcher.end() < reach.length()) {
                ends.add(matcher.end());
            }
        }
        return ends;
    }

    private static List<Integer> sentences(String reach) {
        BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
        sentences.setText(reach);
        var ends = new ArrayList<Integer>();
        for (int end = sentences.next(); end != BreakIterator.DONE; end = sentences.next()) {
            if (end >= MIN_LENGTH && end < reach.length()) {
                ends.add(end);
            }
        }
        return ends;
    }

    private static int on(String text, int from, int to) {
        int index = from;
        while (index < to && Character.isWhitespace(text.charAt(index))) {
            index++;
        }
        return index;
    }

    private static int back(String text, int from, int to) {
        int index = to;
        while (index > from && Character.isWhitespace(text.charAt(index - 1))) {
            index--;
        }
        return index;
    }
}
