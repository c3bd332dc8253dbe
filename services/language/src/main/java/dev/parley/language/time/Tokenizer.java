package dev.parley.language.time;

import java.text.Normalizer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A one-pass tokenizer. Anything with characters that words and dates do not have is one opaque token: links,
 * addresses, paths, prices, versions, and code between backticks.
 */
final class Tokenizer {
    /** Maximum length of words and dates. */
    private static final int MAX_LENGTH = 40;

    private static final int MAX_DIGITS = 4;
    private static final int MAX_SUFFIX = 4;

    /** Instead of a position: there is no token. */
    private static final int NONE = -1;

    private static final String BEFORE = "([{\"'*«“„‘¡¿—–-~>";
    private static final String AFTER = ")]}\"'*»”’,;:.!?…—–-~";
    private static final Set<String> SUFFIXES =
            Set.of("st", "nd", "rd", "th", "er", "ere", "ers", "e", "o", "a", "s", "º", "ª", "°", "eme");

    private static final Pattern ISO =
            Pattern.compile("(\\d{4})([-/])(\\d{1,2})\\2(\\d{1,2})(?:T\\d{2}:\\d{2}[0-9:.Z+-]*)?");
    private static final Pattern LOCAL = Pattern.compile("(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})");
    private static final Pattern PAIR = Pattern.compile("(\\d{1,4})[-–](\\d{1,4})");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();

    private Tokenizer(String text) {
        this.text = text;
    }

    static List<Token> of(String text) {
        var tokens = new Tokenizer(text);
        tokens.read();
        return tokens.tokens;
    }

    /** Lower case and without accents, so that "fevrier" and "Février" are one word. */
    static String fold(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) > 127) {
                String plain = Normalizer.normalize(word.toLowerCase(Locale.ROOT), Normalizer.Form.NFD)
                        .replace("ß", "ss");
                return plain.codePoints()
                        .filter(c -> Character.getType(c) != Character.NON_SPACING_MARK)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            }
        }
        return word.toLowerCase(Locale.ROOT);
    }

    private void read() {
        int position = 0;
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c == '\n') {
                tokens.add(Token.mark(c, position++));
            } else if (isSpace(c)) {
                position++;
            } else if (c == '`') {
                position = code(position);
            } else if (BEFORE.indexOf(c) >= 0) {
                tokens.add(Token.mark(c, position++));
            } else {
                position = chunk(position);
            }
        }
    }

    private static boolean isSpace(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private int code(int start) {
        boolean fence = text.startsWith("```", start);
        int end = fence ? text.indexOf("```", start + 3) : closing(start + 1);
        end = end < 0 ? (fence ? text.length() : start + 1) : end + (fence ? 3 : 1);
        tokens.add(Token.other(start, end));
        return end;
    }

    /** The closing backtick in the same line, or -1. */
    private int closing(int position) {
        for (; position < text.length() && text.charAt(position) != '\n'; position++) {
            if (text.charAt(position) == '`') {
                return position;
            }
        }
        return -1;
    }

    private int chunk(int from) {
        int end = from;
        while (end < text.length() && !isSpace(text.charAt(end)) && text.charAt(end) != '`') {
            end++;
        }
        int to = end;
        while (to > from && AFTER.indexOf(text.charAt(to - 1)) >= 0) {
            to--;
        }
        if (to > from && !figures(from, to)) {
            int size = tokens.size();
            if (!words(from, to)) {
                tokens.subList(size, tokens.size()).clear();
                tokens.add(Token.other(from, to));
            }
        }
        for (; to < end; to++) {
            tokens.add(Token.mark(text.charAt(to), to));
        }
        return end;
    }

    /** Adds dates and pairs of numbers; false for anything else. */
    private boolean figures(int from, int to) {
        if (!isDigit(text.charAt(from)) || to - from > MAX_LENGTH || letters(from, to)) {
            return false;
        }
        String figures = text.substring(from, to);
        Matcher matcher = ISO.matcher(figures);
        if (matcher.matches()) {
            return date(matcher.group(1), matcher.group(3), matcher.group(4), false, from, to);
        }
        matcher = LOCAL.matcher(figures);
        if (matcher.matches()) {
            boolean dots = matcher.group(2).equals(".");
            return date(matcher.group(4), matcher.group(3), matcher.group(1), !dots, from, to);
        }
        matcher = PAIR.matcher(figures);
        if (matcher.matches()) {
            addPair(from, from + matcher.end(1), from + matcher.start(2), to);
            return true;
        }
        return false;
    }

    /** Adds two numbers with a hyphen between them. */
    private void addPair(int from, int hyphen, int second, int to) {
        number(from, hyphen, "");
        tokens.add(Token.mark('-', hyphen));
        number(second, to, "");
    }

    private boolean letters(int from, int to) {
        for (int i = from; i < to; i++) {
            if (Character.isLetter(text.charAt(i)) && text.charAt(i) != 'T' && text.charAt(i) != 'Z') {
                return true;
            }
        }
        return false;
    }

    private boolean date(String year, String month, String day, boolean unclear, int from, int to) {
        int first = Integer.parseInt(day);
        int second = Integer.parseInt(month);
        LocalDate dayFirst = date(year, second, first);
        LocalDate monthFirst = unclear ? date(year, first, second) : null;
        LocalDate read = dayFirst != null ? dayFirst : monthFirst;
        boolean ambiguous = dayFirst != null && monthFirst != null && first != second;
        tokens.add(read == null ? Token.other(from, to) : Token.date(new Token.Written(read, ambiguous), from, to));
        return true;
    }

    private static @Nullable LocalDate date(String year, int month, int day) {
        try {
            int number = Integer.parseInt(year);
            return NumericDateParser.isYear(number) ? LocalDate.of(number, month, day) : null;
        } catch (DateTimeException noSuchDay) {
            return null;
        }
    }

    /** Words and numbers with hyphens, apostrophes, commas and slashes between them; false for anything else. */
    private boolean words(int from, int to) {
        int position = from;
        while (position != NONE && position < to) {
            position = next(from, position, to);
        }
        return position != NONE;
    }

    /** Adds the token at this position of a chunk. Returns the position after it, or {@link #NONE}. */
    private int next(int from, int position, int to) {
        char c = text.charAt(position);
        if (isDigit(c)) {
            return numberWithSuffix(position, to);
        }
        if (isLetter(c)) {
            return word(position, to);
        }
        if (c == '\'' || c == '’') {
            return position + 1;
        }
        if (c == '-' || c == '–' || c == '—' || c == ',' || c == '/') {
            tokens.add(Token.mark(c == ',' || c == '/' ? c : '-', position));
            return position + 1;
        }
        if (c == '.' && position > from && isDigit(text.charAt(position - 1)) && isLetter(text.charAt(position + 1))) {
            tokens.add(Token.mark(c, position));
            return position + 1;
        }
        return NONE;
    }

    /** Adds a number with its suffix, such as "3rd". Returns the position after it, or {@link #NONE}. */
    private int numberWithSuffix(int start, int to) {
        int digits = start;
        while (digits < to && isDigit(text.charAt(digits))) {
            digits++;
        }
        int end = digits;
        while (end < to && isLetter(text.charAt(end))) {
            end++;
        }
        String suffix = suffix(digits, end);
        if (digits - start > MAX_DIGITS || (!suffix.isEmpty() && !SUFFIXES.contains(suffix))) {
            return NONE;
        }
        if (end < to && !follows(digits, end, to)) {
            return NONE;
        }
        number(start, digits, suffix, end);
        return end;
    }

    /** The suffix of a number, without accents; "-" for letters that are none. */
    private String suffix(int from, int to) {
        String suffix = to - from > MAX_SUFFIX ? "-" : text.substring(from, to).toLowerCase(Locale.ROOT);
        return suffix.equals("ème") ? "eme" : suffix.equals("ère") ? "ere" : suffix;
    }

    /** Adds a word. Returns the position after it, or {@link #NONE}. */
    private int word(int start, int to) {
        int end = start;
        while (end < to && (isLetter(text.charAt(end)) || isDigit(text.charAt(end)))) {
            end++;
        }
        if (end - start > MAX_LENGTH) {
            return NONE;
        }
        tokens.add(Token.word(fold(text.substring(start, end)), Character.isUpperCase(text.charAt(start)), start, end));
        return end;
    }

    /** Whether the characters after a number allow it: "3-day", "3rd-5th", "3.Mai", "3,", but not "3,000" and "3/4". */
    private boolean follows(int digits, int end, int to) {
        char next = text.charAt(end);
        boolean letterBehind = end + 1 < to && isLetter(text.charAt(end + 1));
        return switch (next) {
            case '-', '–', '—' -> letterBehind || digits != end;
            case '.' -> digits == end && letterBehind;
            default -> false;
        };
    }

    private static boolean isLetter(char c) {
        return Character.isLetter(c) || c == '°' || Character.getType(c) == Character.NON_SPACING_MARK;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void number(int from, int to, String suffix) {
        number(from, to, suffix, to);
    }

    private void number(int from, int digits, String suffix, int to) {
        int number = Integer.parseInt(text.substring(from, digits));
        tokens.add(new Token(Token.Kind.NUMBER, suffix, number, digits - from, null, false, from, to, Map.of()));
    }
}
