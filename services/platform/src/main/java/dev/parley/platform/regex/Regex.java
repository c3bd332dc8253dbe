package dev.parley.platform.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.regex.Matcher;

/**
 * An untrusted regular expression. Matching takes time linear in the text; its memory is estimated before compilation,
 * because {@code ((x{1000}){1000}){1000}} is short.
 */
public final class Regex {
    private static final int MAX_LENGTH = 1_000;
    /** Maximum number of characters, counted as often as they are repeated. */
    private static final long MAX_WEIGHT = 20_000;

    private static final java.util.regex.Pattern REPEATED =
            java.util.regex.Pattern.compile("\\{(\\d{1,4})(,?)(\\d{0,4})}");

    private final String regex;
    private final ArrayDeque<Long> groups = new ArrayDeque<>();
    private long last;
    private int at;

    private Regex(String regex) {
        this.regex = regex;
    }

    /**
     * Compiles a pattern.
     *
     * @throws IllegalArgumentException if it is invalid or too heavy
     */
    public static Pattern compile(String regex, boolean ignoreCase) {
        return compile(regex, ignoreCase, MAX_WEIGHT);
    }

    /**
     * Compiles a pattern with a maximum weight.
     *
     * @throws IllegalArgumentException if it is invalid or too heavy
     */
    static Pattern compile(String regex, int maxWeight) {
        return compile(regex, false, maxWeight);
    }

    private static Pattern compile(String regex, boolean ignoreCase, long maxWeight) {
        if (regex.isEmpty() || regex.length() > MAX_LENGTH) {
            throw invalid("has 1 to " + MAX_LENGTH + " characters");
        }
        if (new Regex(regex).weight() > maxWeight) {
            throw invalid("repeats too much; use *, + or smaller numbers");
        }
        try {
            return Pattern.compile(regex, ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
        } catch (PatternSyntaxException e) {
            throw invalid(
                    "cannot be read: " + e.getDescription() + " (RE2 syntax, without look-around and back references)");
        }
    }

    private static IllegalArgumentException invalid(String problem) {
        return new IllegalArgumentException("the regular expression " + problem);
    }

    private long weight() {
        groups.push(0L);
        while (at < regex.length()) {
            switch (regex.charAt(at)) {
                case '\\' -> escape();
                case '[' -> characterClass();
                case '(' -> {
                    groups.push(0L);
                    at++;
                }
                case ')' -> closeGroup();
                case '{' -> repetition();
                default -> character();
            }
        }
        return groups.stream().mapToLong(Long::longValue).sum();
    }

    private void character() {
        add(1);
        at++;
    }

    private void add(long weight) {
        last = Math.min(weight, MAX_WEIGHT + 1);
        groups.push(Math.min(groups.pop() + last, MAX_WEIGHT + 1));
    }

    private void escape() {
        if (regex.startsWith("\\Q", at)) {
            throw invalid("has \\Q; put a backslash before each sign that means something");
        }
        add(1);
        at += 2;
    }

    private void characterClass() {
        int i = at + (regex.startsWith("[^", at) ? 2 : 1);
        for (int first = i; i < regex.length() && (regex.charAt(i) != ']' || i == first); i++) {
            if (regex.startsWith("[:", i)) {
                throw invalid("has [:…:]; name the characters, such as [A-Za-z]");
            }
            i += regex.charAt(i) == '\\' ? 1 : 0;
        }
        add(1);
        at = i + 1;
    }

    private void closeGroup() {
        long inner = groups.pop();
        if (groups.isEmpty()) {
            throw invalid("closes a group that was not opened");
        }
        add(inner + 2);
        at++;
    }

    private void repetition() {
        Matcher times = REPEATED.matcher(regex).region(at, regex.length());
        if (times.lookingAt()) {
            String max = times.group(3).isEmpty() ? times.group(1) : times.group(3);
            long unit = last;
            groups.push(groups.pop() - unit);
            add(unit * (Long.parseLong(max) + 1));
            at = times.end();
        } else {
            character();
        }
    }
}
