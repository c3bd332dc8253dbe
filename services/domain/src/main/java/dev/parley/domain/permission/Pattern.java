package dev.parley.domain.permission;

import dev.parley.domain.document.FaultException;

/**
 * Glob patterns: {@code *} matches any characters within a segment, {@code **} across segments, {@code ?} one character
 * of a segment. Segments are separated by {@code /}. For commands, {@code rm *} matches {@code rm} with and without
 * arguments. A backslash escapes the following character. Case-sensitive.
 */
final class Pattern {
    /** Maximum characters of a pattern. */
    static final int MAX_LENGTH = 1_024;

    private static final String REST = " *";
    private static final char ESCAPE = '\\';

    private Pattern() {}

    static void check(String pattern) {
        if (pattern.isEmpty() || pattern.length() > MAX_LENGTH) {
            throw new FaultException("pattern", "must have 1 to " + MAX_LENGTH + " characters");
        }
    }

    /** @param isCommand whether the value is a command */
    static boolean matches(String pattern, String value, boolean isCommand) {
        if (value.isEmpty()) {
            return pattern.equals(PermissionRule.EVERYTHING);
        }
        if (isCommand && pattern.endsWith(REST)) {
            String command = pattern.substring(0, pattern.length() - REST.length());
            return matches(command, value) || matches(command + " **", value);
        }
        return matches(pattern, value);
    }

    /** Dynamic programming over prefixes of pattern and value: O(product of both lengths). */
    private static boolean matches(String pattern, String value) {
        if (!beginsAlike(pattern, value)) {
            return false;
        }
        boolean[] matched = new boolean[value.length() + 1];
        matched[0] = true;
        for (int p = 0; p < pattern.length(); p += width(pattern, p)) {
            matched = next(pattern, p, value, matched);
        }
        return matched[value.length()];
    }

    /** A fast check of the first characters, which rules out most of many rules. */
    private static boolean beginsAlike(String pattern, String value) {
        for (int i = 0; i < pattern.length(); i++) {
            char sign = pattern.charAt(i);
            if (sign == '*' || sign == '?' || sign == ESCAPE) {
                return true;
            }
            if (i == value.length() || sign != value.charAt(i)) {
                return false;
            }
        }
        return pattern.length() == value.length();
    }

    /** Whether the pattern names what it matches, at least at its beginning. */
    static boolean beginsLiterally(String pattern) {
        return pattern.charAt(0) != '*' && pattern.charAt(0) != '?';
    }

    private static int width(String pattern, int index) {
        return pattern.startsWith("**", index) || isEscaped(pattern, index) ? 2 : 1;
    }

    private static boolean[] next(String pattern, int p, String value, boolean[] before) {
        boolean wide = pattern.startsWith("**", p);
        boolean star = pattern.charAt(p) == '*';
        boolean[] now = new boolean[before.length];
        now[0] = star && before[0];
        for (int v = 0; v < value.length(); v++) {
            char c = value.charAt(v);
            now[v + 1] = star ? before[v + 1] || (now[v] && (wide || c != '/')) : before[v] && fits(pattern, p, c);
        }
        return now;
    }

    private static boolean isEscaped(String pattern, int index) {
        return pattern.charAt(index) == ESCAPE && index + 1 < pattern.length();
    }

    private static boolean fits(String pattern, int index, char value) {
        if (isEscaped(pattern, index)) {
            return pattern.charAt(index + 1) == value;
        }
        return pattern.charAt(index) == value || (pattern.charAt(index) == '?' && value != '/');
    }

    /** The pattern that matches this value only. */
    static String literal(String value) {
        return value.replaceAll("[*?\\\\]", "\\\\$0");
    }

    /** The number of literal characters: of two matching patterns, the one with more is more specific. */
    static int specificity(String pattern) {
        return (int) pattern.chars().filter(c -> c != '*' && c != '?').count();
    }
}
