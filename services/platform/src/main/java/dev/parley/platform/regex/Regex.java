package dev.parley.platform.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.regex.Matcher;

/**
 * A regular expression of a model or of a person who defines tools. Matching takes time linear in the text; its
 * memory is estimated before compilation, because {@code ((x{1000}){1000}){1000}} is short.
 */
public final class Regex {
    private static final int LONGEST = 1_000;
    /** Signs, with what is repeated counted as often. */
    private static final long HEAVIEST = 20_000;

    private static final java.util.regex.Pattern REPEATED =
            java.util.regex.Pattern.compile("\\{(\\d{1,4})(,?)(\\d{0,4})}");

    private final String regex;
    private final ArrayDeque<Long> groups = new ArrayDeque<>();
    private long last;
    private int at;

    private Regex(String regex) {
        this.regex = regex;
    }

    /** Compiles it. @throws IllegalArgumentException when it is none, or too heavy */
    public static Pattern compile(String regex, boolean ignoreCase) {
        return compile(regex, ignoreCase, HEAVIEST);
    }

    /** Compiles one that is no heavier than this. @throws IllegalArgumentException when it is none, or too heavy */
    static Pattern compile(String regex, int heaviest) {
        return compile(regex, false, heaviest);
    }

    private static Pattern compile(String regex, boolean ignoreCase, long heaviest) {
        if (regex.isEmpty() || regex.length() > LONGEST) {
            throw bad("has 1 to " + LONGEST + " characters");
        }
        if (new Regex(regex).weight() > heaviest) {
            throw bad("repeats too much; use *, + or smaller numbers");
        }
        try {
            return Pattern.compile(regex, ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
        } catch (PatternSyntaxException e) {
            throw bad(
                    "cannot be read: " + e.getDescription() + " (RE2 syntax, without look-around and back references)");
        }
    }

    private static IllegalArgumentException bad(String what) {
        return new IllegalArgumentException("the regular expression " + what);
    }

    private long weight() {
        groups.push(0L);
        while (at < regex.length()) {
            switch (regex.charAt(at)) {
                case '\\' -> escaped();
                case '[' -> characters();
                case '(' -> {
                    groups.push(0L);
                    at++;
                }
                case ')' -> close();
                case '{' -> repeated();
                default -> sign();
            }
        }
        return groups.stream().mapToLong(Long::longValue).sum();
    }

    private void sign() {
        add(1);
        at++;
    }

    private void add(long weight) {
        last = Math.min(weight, HEAVIEST + 1);
        groups.push(Math.min(groups.pop() + last, HEAVIEST + 1));
    }

    private void escaped() {
        if (regex.startsWith("\\Q", at)) {
            throw bad("has \\Q; put a backslash before each sign that means something");
        }
        add(1);
        at += 2;
    }

    private void characters() {
        int i = at + (regex.startsWith("[^", at) ? 2 : 1);
        for (int first = i; i < regex.length() && (regex.charAt(i) != ']' || i == first); i++) {
            if (regex.startsWith("[:", i)) {
                throw bad("has [:…:]; name the characters, such as [A-Za-z]");
            }
            i += regex.charAt(i) == '\\' ? 1 : 0;
        }
        add(1);
        at = i + 1;
    }

    private void close() {
        long inner = groups.pop();
        if (groups.isEmpty()) {
            throw bad("closes a group that was not opened");
        }
        add(inner + 2);
        at++;
    }

    private void repeated() {
        Matcher times = REPEATED.matcher(regex).region(at, regex.length());
        if (times.lookingAt()) {
            String most = times.group(3).isEmpty() ? times.group(1) : times.group(3);
            long one = last;
            groups.push(groups.pop() - one);
            add(one * (Long.parseLong(most) + 1));
            at = times.end();
        } else {
            sign();
        }
    }
}
