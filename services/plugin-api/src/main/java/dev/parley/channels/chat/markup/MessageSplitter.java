package dev.parley.channels.chat.markup;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.MatchResult;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Splits a text into messages within the limits of a platform, preferably between blocks, lines, sentences or words.
 */
final class MessageSplitter {
    private static final String MORE = "…\n";
    /**
     * Distance of the positions where the visible tail of a growing text may begin; the small one is for many entities.
     */
    private static final int STEP = 1024;

    private static final int SMALL_STEP = 64;
    private static final int[] STEPS = {STEP, SMALL_STEP};
    /** More than a cluster of characters has in any language. */
    private static final int CLUSTER = 64;

    private static final String ENDS = ".!?…。！？";
    private static final String WIDE_ENDS = "。！？";

    private final StyledText styled;
    private final MarkupDialect dialect;
    private final MarkupDialect.Limits limits;
    private final String text;
    private final int[] detected;

    MessageSplitter(StyledText styled, MarkupDialect dialect) {
        this.styled = styled;
        this.dialect = dialect;
        this.limits = dialect.limits();
        this.text = styled.text();
        this.detected = Addresses.DETECTED
                .matcher(text)
                .results()
                .mapToInt(MatchResult::start)
                .filter(this::isProse)
                .toArray();
    }

    /** Whether platforms detect links at this position. */
    private boolean isProse(int position) {
        Element element = styled.runs().get(styled.run(position)).element();
        return Stream.of(Element.Kind.PRE, Element.Kind.CODE, Element.Kind.LINK)
                .allMatch(kind -> Element.of(element, kind) == null);
    }

    /** The messages; empty where nothing is visible. */
    List<MessageChunk.Message> chunks() {
        var chunks = new ArrayList<MessageChunk.Message>();
        int start = first(0);
        while (start < text.length()) {
            int end = split(start, maxEnd(start, limits.text()));
            message(start, end, "").ifPresent(chunks::add);
            start = first(end);
        }
        return chunks;
    }

    /** One message with the end of the text; its beginning moves rarely as the text grows. */
    Optional<MessageChunk.Message> tail() {
        int start = first(0);
        if (maxEnd(start, limits.text()) == text.length()) {
            return message(start, text.length(), "");
        }
        for (int step : STEPS) {
            start = tail(step);
            if (start >= 0) {
                return message(start, text.length(), MORE);
            }
        }
        start = first(beginning(Math.max(0, text.length() - SMALL_STEP), SMALL_STEP));
        return message(start, maxEnd(start, maxTail()), MORE);
    }

    private int maxTail() {
        return limits.text() - MORE.length();
    }

    /** The first position, in steps, from which the text fits; -1 for none. */
    private int tail(int step) {
        int start = -1;
        for (int position = (text.length() - 1) / step * step; position > 0; position -= step) {
            int candidate = first(beginning(position, step));
            if (maxEnd(candidate, maxTail()) < text.length()) {
                return start;
            }
            start = candidate < text.length() ? candidate : start;
        }
        return start;
    }

    /** A suitable start position, here or shortly after. */
    private int beginning(int position, int step) {
        int searchEnd = Math.min(position + step / 2, text.length());
        int line = text.indexOf('\n', position, searchEnd);
        int separator = line >= 0 ? line : text.indexOf(' ', position, searchEnd);
        if (separator >= 0) {
            return separator + 1;
        }
        int from = Math.max(0, position - CLUSTER);
        return from
                + clusters(from, Math.min(text.length(), position + CLUSTER)).preceding(position - from + 1);
    }

    private Optional<MessageChunk.Message> message(int start, int end, String before) {
        int last = end;
        while (last > start && isBlank(text.charAt(last - 1))) {
            last--;
        }
        String plain = text.substring(start, last);
        return Characters.isEmpty(plain)
                ? Optional.empty()
                : Optional.of(new MessageChunk.Message(
                        before + MarkupWriter.write(styled, dialect, start, last), before + plain));
    }

    private static boolean isBlank(char unit) {
        return unit == ' ' || unit == '\n';
    }

    /** The actual start of a message: leading blanks are skipped, unless they indent code. */
    private int first(int from) {
        int position = from;
        while (position < text.length() && isBlank(text.charAt(position))) {
            position++;
        }
        int line = text.lastIndexOf('\n', position - 1) + 1;
        boolean code = position < text.length()
                && Element.of(styled.runs().get(styled.run(position)).element(), Element.Kind.PRE) != null;
        return code
                ? Math.max(
                        from,
                        Math.max(line, styled.runs().get(styled.run(position)).start()))
                : position;
    }

    private int split(int start, int limit) {
        if (limit == text.length()) {
            return limit;
        }
        for (NavigableSet<Integer> positions : List.of(styled.blocks(), styled.items())) {
            int position = floor(positions, limit);
            if (position > start && (isFar(position, start, limit) || isWhole(positions, position))) {
                return position;
            }
        }
        return splitInside(start, limit);
    }

    private int splitInside(int start, int limit) {
        BreakIterator clusters = clusters(start, Math.min(text.length(), limit + CLUSTER));
        IntPredicate boundary = position -> clusters.isBoundary(position - start);
        int[] positions = {
            floor(styled.blocks(), limit),
            floor(styled.items(), limit),
            text.lastIndexOf('\n', limit - 1) + 1,
            last(start, limit, boundary.and(this::endsSentence)),
            last(start, limit, boundary.and(this::endsWord)),
            last(start, limit, boundary)
        };
        return IntStream.of(positions)
                .filter(position -> isFar(position, start, limit))
                .findFirst()
                .orElseGet(() -> IntStream.of(positions)
                        .filter(position -> position > start)
                        .findFirst()
                        .orElse(Character.isLowSurrogate(text.charAt(limit)) ? limit - 1 : limit));
    }

    private static int floor(NavigableSet<Integer> positions, int limit) {
        Integer floor = positions.floor(limit);
        return floor == null ? 0 : floor;
    }

    /** Whether a message that ends at this position uses at least half of its limit. */
    private static boolean isFar(int position, int start, int limit) {
        return position > start && position - start >= (limit - start) / 2;
    }

    /** Whether the part that begins here fits into one message. */
    private boolean isWhole(NavigableSet<Integer> positions, int start) {
        Integer next = positions.higher(start);
        int end = next == null ? text.length() : next;
        while (end > start && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return maxEnd(start, limits.text()) >= end;
    }

    private static int last(int start, int limit, IntPredicate condition) {
        int position = limit;
        while (position > start && !condition.test(position)) {
            position--;
        }
        return position;
    }

    private boolean endsSentence(int position) {
        char last = text.charAt(position - 1);
        return WIDE_ENDS.indexOf(last) >= 0
                || endsWord(position) && position > 1 && ENDS.indexOf(text.charAt(position - 2)) >= 0;
    }

    private boolean endsWord(int position) {
        return Character.isWhitespace(text.charAt(position - 1));
    }

    private BreakIterator clusters(int start, int end) {
        BreakIterator clusters = BreakIterator.getCharacterInstance(Locale.ROOT);
        clusters.setText(text.substring(start, end));
        return clusters;
    }

    /** The end of the longest message that starts here, of at most {@code maxLength} characters. */
    private int maxEnd(int start, int maxLength) {
        int end = Math.min(text.length(), start + maxLength);
        var usage = new Usage(start);
        Element before = null;
        for (int i = styled.run(start); i < styled.runs().size(); i++) {
            StyledText.Run run = styled.runs().get(i);
            usage.open(run.element(), before);
            before = run.element();
            for (int unit = Math.max(start, run.start()); unit < Math.min(end, run.end()); unit++) {
                if (!usage.fits(unit)) {
                    return unit;
                }
            }
            if (run.end() >= end) {
                break;
            }
        }
        return end;
    }

    /** The part of its limits that a message uses. */
    private final class Usage {
        private int entities;
        private int size;
        private int nextDetected;

        Usage(int start) {
            int found = Arrays.binarySearch(detected, start);
            nextDetected = found < 0 ? -found - 1 : found;
        }

        /** Adds an element, and those around it that do not enclose {@code before}. */
        void open(@Nullable Element element, @Nullable Element before) {
            for (Element current = element;
                    current != null && !Element.holds(current, before);
                    current = current.outer()) {
                entities++;
                size += dialect.size(current);
            }
        }

        /** Adds a UTF-16 unit of the text; false where it exceeds a limit. */
        boolean fits(int unit) {
            size += dialect.size(text.charAt(unit));
            if (nextDetected < detected.length && detected[nextDetected] == unit) {
                entities++;
                nextDetected++;
            }
            return size <= limits.size() && entities <= limits.elements();
        }
    }
}
