package dev.parley.channels.chat.markup;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Visible text with its elements, and the best positions to split it.
 *
 * @param runs without gaps, in order
 * @param blocks start positions of blocks
 * @param items start positions of blocks, list items and table rows
 */
public record StyledText(String text, List<Run> runs, NavigableSet<Integer> blocks, NavigableSet<Integer> items) {
    /** A range within one element. */
    public record Run(int start, int end, @Nullable Element element) {}

    /** The index of the run at this position. */
    public int run(int position) {
        int low = 0;
        int high = runs.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (runs.get(middle).start() <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    boolean isLinked() {
        return runs.stream().anyMatch(run -> Element.of(run.element(), Element.Kind.LINK) != null);
    }

    /** The text in one line, each link followed by its URL. */
    String line() {
        var line = new StringBuilder();
        int start = 0;
        for (int i = 0; i < runs.size(); i++) {
            Element link = Element.of(runs.get(i).element(), Element.Kind.LINK);
            Element next = i + 1 < runs.size() ? Element.of(runs.get(i + 1).element(), Element.Kind.LINK) : null;
            line.append(text, runs.get(i).start(), runs.get(i).end());
            if (link == null) {
                start = line.length();
            } else if (link != next) {
                line.append(line.substring(start).equals(link.argument()) ? "" : " (" + link.argument() + ")");
                start = line.length();
            }
        }
        return line.toString().replace('\n', ' ').strip();
    }

    /** The kind of boundary before the next text. */
    enum Break {
        LINE,
        ITEM,
        BLOCK
    }

    /** Builds a text. */
    static final class Builder {
        private final StringBuilder text = new StringBuilder();
        private final List<Run> runs = new ArrayList<>();
        private final NavigableSet<Integer> blocks = new TreeSet<>();
        private final NavigableSet<Integer> items = new TreeSet<>();
        private int newlines;
        private Break next = Break.LINE;

        int length() {
            return text.length();
        }

        String since(int start) {
            return text.substring(Math.min(start, text.length()));
        }

        /** Starts the next text on a new line, or after an empty one; ignored before any text. */
        void separate(int lines, Break kind) {
            newlines = Math.max(newlines, lines);
            next = kind.compareTo(next) > 0 ? kind : next;
        }

        void append(String piece, @Nullable Element element) {
            if (!piece.isEmpty()) {
                separateNow(element);
                add(piece, element);
            }
        }

        private void separateNow(@Nullable Element element) {
            if (!text.isEmpty() && newlines > 0) {
                Element quote = Element.of(element, Element.Kind.QUOTE);
                boolean isSameQuote = quote == Element.of(runs.getLast().element(), Element.Kind.QUOTE);
                add("\n".repeat(newlines), isSameQuote ? quote : null);
                if (next == Break.BLOCK) {
                    blocks.add(text.length());
                }
                if (next != Break.LINE) {
                    items.add(text.length());
                }
            }
            newlines = 0;
            next = Break.LINE;
        }

        private void add(String piece, @Nullable Element element) {
            int start = text.length();
            text.append(piece);
            if (!runs.isEmpty() && runs.getLast().element() == element) {
                start = runs.removeLast().start();
            }
            runs.add(new Run(start, text.length(), element));
        }

        StyledText build() {
            Characters.calm(text);
            return new StyledText(text.toString(), List.copyOf(runs), blocks, items);
        }
    }
}
