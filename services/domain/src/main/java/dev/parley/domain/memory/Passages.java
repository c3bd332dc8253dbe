package dev.parley.domain.memory;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts a chunk into pieces that a model of meaning reads whole: it reads no more than some hundred words of a text. */
public final class Passages {
    /** Characters of the longest passage, but for a sentence that is longer by itself. */
    static final int MOST = 700;

    private Passages() {}

    /** The passages of a text, in order; sentences stay whole. None of a blank text. */
    public static List<String> of(String text) {
        var passages = new ArrayList<String>();
        BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
        sentences.setText(text);
        int begin = 0;
        int end = 0;
        for (int next = sentences.next(); next != BreakIterator.DONE; next = sentences.next()) {
            if (next - begin > MOST && end > begin) {
                passages.add(text.substring(begin, end).strip());
                begin = end;
            }
            end = next;
        }
        passages.add(text.substring(begin).strip());
        passages.removeIf(String::isEmpty);
        return passages;
    }
}
