package dev.parley.language.text;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sentence splitting. Anything that is not prose is skipped: code, tables, headings, quoted lines, markup, recalled
 * memories, and signatures.
 */
public final class Sentences {
    /**
     * A sentence, without surrounding whitespace and list markers.
     *
     * @param label the speaker, if its line starts with a name and a colon; else null
     */
    public record Sentence(int from, int to, @Nullable String label) {}

    /** Maximum characters of a sentence; longer ones are split between words. */
    public static final int MAX_LENGTH = 1_000;

    /** Minimum length of a line that may have been wrapped. */
    private static final int WRAPPED = 60;

    /** Longer words are data. */
    private static final int MAX_WORD_LENGTH = 300;

    private static final Pattern LIST_MARK = Pattern.compile("^\\s*+(?:[-*+•‣–]|\\d{1,2}[.)])\\s++(?:\\[[ xX]]\\s++)?");
    private static final Pattern FENCED = Pattern.compile("```|~~~");
    /** Starts or ends a block of data in a prompt: markup, or lines with a part of a UUID. */
    private static final Pattern BLOCK = Pattern.compile(
            "^\\s*+(?:<(?<end>/)?(?<tag>data|memory|memories|recalled|recall|context|system|evidence|tool_result|untrusted|document|documents|quote|script|style)\\b[^<>]{0,200}>"
                    + "|(?-i:BEGIN|(?<over>END)) (?<mark>[\\w-]{1,40} [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4})$)",
            Pattern.CASE_INSENSITIVE);

    /** Tags of what a prompt adds to a message. */
    private static final Pattern CONTEXT =
            Pattern.compile("(?i)memory|memories|recalled|recall|context|system|evidence|tool_result|untrusted");

    private static final Pattern NO_PROSE = Pattern.compile(
            "^\\s*+(?:[>|{}\\[<]|#++\\s|\\$\\D|@@|---|\\*\\*\\*|===|\\+\\+\\+|//|/\\*|--\\s*+$|at [\\w.$]++\\(|import \\w|from \\w++ import|def \\w++\\("
                    + "|class \\w++[:({ ]*+$|(?:public|private|protected|const|var|return|function) .*[;{(]\\s*+$"
                    + "|(?:SELECT|INSERT|CREATE|UPDATE|DELETE) .*(?:FROM|INTO|TABLE|SET)\\b).*+");
    private static final Pattern CODE_END = Pattern.compile(".*[;{}]\\s*+$|.*\\)\\s*+:\\s*+$");
    private static final Pattern BOILERPLATE = Pattern.compile(
            "(?i)^\\s*+(?:sent from my |get outlook for |unsubscribe|all rights reserved|copyright |©|on .{5,80} wrote:|-+ ?(?:original|forwarded) message"
                    + "|this e-?mail (?:and|is)|(?:best|kind|warm) regards|mit freundlichen grüßen|cordialement|saludos cordiales).*+");
    private static final Pattern LABEL =
            Pattern.compile("^\\s*+(\\p{Lu}[\\p{L}'’-]{1,30}+(?: \\p{Lu}[\\p{L}'’-]{1,30}+)?): +(?=\\S)");
    private static final Pattern ABBREVIATED = Pattern.compile(
            "(?:^|[\\s(])(?:[A-HJ-Z]|Dr|Mr|Mrs|Ms|Prof|St|Jr|vs|e\\.g|i\\.e|approx|No|Nr|ca|bzw|z\\. ?B|d\\. ?h|u\\. ?a|Hr|Fr|Mme|Sra?|Sta?)\\.\\s*+$");
    private static final Pattern ORDINAL = Pattern.compile("(?:^|\\s)\\d{1,2}\\.\\s*+$");

    private final String text;
    private final List<Sentence> found = new ArrayList<>();
    /** Ends of blocks that the rest of the text does not have. */
    private final Set<String> missing = new HashSet<>();

    private int from = -1;
    private int to;
    private @Nullable String label;

    private Sentences(String text) {
        this.text = text;
    }

    /** The sentences of a text, in order. */
    public static List<Sentence> of(String text) {
        var sentences = new Sentences(text);
        sentences.lines(isTranscript(text));
        return sentences.found;
    }

    /** Whether the text is a transcript with speakers: one line with a word and a colon is not enough. */
    private static boolean isTranscript(String text) {
        return text.lines()
                        .limit(1_000)
                        .filter(line -> label(line) != null)
                        .limit(2)
                        .count()
                == 2;
    }

    private static @Nullable String label(String line) {
        Matcher matcher = LABEL.matcher(line);
        return matcher.lookingAt() ? matcher.group(1) : null;
    }

    private void lines(boolean labelled) {
        Matcher tag = BLOCK.matcher(text);
        boolean fenced = false;
        int end = -1;
        int next;
        for (int start = 0; start < text.length(); start = next) {
            end = start > end ? endOfLine(start) : end; // a block may end within a line
            if (tag.region(start, end).lookingAt() && (!fenced || tag.group("mark") != null)) {
                flush();
                next = afterBlock(tag, end);
            } else {
                String line = text.substring(start, end);
                int fence = fence(line);
                if (!fenced) {
                    line(start, fence < 0 ? end : start + fence, labelled);
                }
                fenced ^= fences(line) % 2 == 1;
                next = nextLine(end);
            }
        }
        flush();
    }

    /**
     * The position after a closing tag, or after the block that a tag opens. Of a tag that is not closed, only the line
     * is a block; but what a prompt adds to a message goes on to the end, which may have been cut off.
     */
    private int afterBlock(Matcher tag, int endOfLine) {
        if (tag.group("end") != null || tag.group("over") != null) {
            return tag.end();
        }
        String name = tag.group("tag");
        if (name == null) {
            int over = endOfNext("(?m)^[ \\t]*+END " + tag.group("mark") + "$", tag.end());
            return over < 0 ? text.length() : over; // only a prompt has such a line: its end was cut off
        }
        int closed = endOfNext("(?i)</" + name.toLowerCase(Locale.ROOT) + "\\b[^<>]{0,200}>", tag.end());
        if (closed < 0) {
            return CONTEXT.matcher(name).matches() ? text.length() : nextLine(endOfLine);
        }
        return closed;
    }

    /** The end of the next match after a position, or -1. Positions must not decrease. */
    private int endOfNext(String closing, int position) {
        if (missing.contains(closing)) {
            return -1;
        }
        Matcher matcher = Pattern.compile(closing).matcher(text);
        if (matcher.find(position)) {
            return matcher.end();
        }
        missing.add(closing);
        return -1;
    }

    private int nextLine(int endOfLine) {
        return text.startsWith("\r\n", endOfLine) ? endOfLine + 2 : endOfLine + 1;
    }

    private int endOfLine(int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return end;
    }

    private static int fence(String line) {
        Matcher matcher = FENCED.matcher(line);
        return matcher.find() ? matcher.start() : -1;
    }

    private static long fences(String line) {
        return FENCED.matcher(line).results().count();
    }

    private void line(int start, int end, boolean labelled) {
        String line = text.substring(start, end);
        Matcher mark = LIST_MARK.matcher(line);
        boolean item = mark.lookingAt();
        int begin = item ? start + mark.end() : start;
        if (isNoProse(item ? line.substring(mark.end()) : line)) {
            flush();
            return;
        }
        boolean goesOn = !item && from >= 0 && to - from >= WRAPPED && startsLower(line);
        if (!goesOn) {
            flush();
            from = begin;
            label = labelled ? label(line) : null;
        }
        to = end;
    }

    private static boolean startsLower(String line) {
        String stripped = line.stripLeading();
        return !stripped.isEmpty() && Character.isLowerCase(stripped.codePointAt(0));
    }

    private static boolean isNoProse(String line) {
        if (line.length() > 10 * MAX_LENGTH) {
            return false; // checked piece by piece
        }
        return line.isBlank()
                || NO_PROSE.matcher(line).matches()
                || BOILERPLATE.matcher(line).matches()
                || isCode(line);
    }

    private static boolean isCode(String line) {
        long signs = line.chars()
                .filter(c -> "{}[]()<>=;/\\|_$#&^~\"".indexOf(c) >= 0)
                .count();
        long letters = line.chars().filter(Character::isLetter).count();
        return letters == 0
                || signs * 4 > letters
                || (signs > 2 && CODE_END.matcher(line).matches());
    }

    private void flush() {
        if (from >= 0 && from < to) {
            split(from, to);
        }
        from = -1;
    }

    private void split(int begin, int end) {
        String block = text.substring(begin, end);
        BreakIterator breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
        breaks.setText(block);
        int start = 0;
        for (int next = breaks.next(); next != BreakIterator.DONE; next = breaks.next()) {
            if (next == block.length()
                    || (Character.isWhitespace(block.charAt(next - 1))
                            && !isWithin(block, Math.max(start, next - 20), next))) {
                pieces(begin + start, begin + next);
                start = next;
            }
        }
    }

    /** Whether the full stop before this position ends an abbreviation or an ordinal. */
    private static boolean isWithin(String block, int windowStart, int position) {
        String before = block.substring(windowStart, position);
        if (ABBREVIATED.matcher(before).find()) {
            return true;
        }
        int wordEnd = position;
        while (wordEnd < block.length() && Character.isLetter(block.charAt(wordEnd))) {
            wordEnd++;
        }
        return ORDINAL.matcher(before).find()
                && Vocabulary.COMMON.contains(block.substring(position, wordEnd).toLowerCase(Locale.ROOT));
    }

    private void pieces(int begin, int end) {
        int start = begin;
        while (end - start > MAX_LENGTH) {
            int cut = start + MAX_LENGTH;
            int blank = text.lastIndexOf(' ', cut);
            if (blank > start + MAX_LENGTH / 2) {
                cut = blank;
            } else if (Character.isSurrogatePair(text.charAt(cut - 1), text.charAt(cut))) {
                cut--;
            }
            piece(start, cut);
            start = cut;
        }
        piece(start, end);
    }

    private void piece(int begin, int end) {
        int start = begin;
        int stop = end;
        while (start < stop && Character.isWhitespace(text.charAt(start))) {
            start++;
        }
        while (stop > start && Character.isWhitespace(text.charAt(stop - 1))) {
            stop--;
        }
        if (start < stop && longestWord(start, stop) <= MAX_WORD_LENGTH) {
            found.add(new Sentence(start, stop, label));
        }
    }

    private int longestWord(int begin, int end) {
        int longest = 0;
        int start = begin;
        for (int i = begin; i <= end; i++) {
            if (i == end || Character.isWhitespace(text.charAt(i))) {
                longest = Math.max(longest, i - start);
                start = i + 1;
            }
        }
        return longest;
    }
}
