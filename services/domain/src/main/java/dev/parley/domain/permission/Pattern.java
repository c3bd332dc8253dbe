package dev.parley.domain.permission;

/**
 * Patterns of values: {@code *} is any number of characters within a segment, {@code **} across segments, {@code ?} one
 * character of a segment. Segments are what stands between {@code /}, and between the words of a command: there {@code rm *}
 * is {@code rm} alone or with anything after it. A backslash takes its meaning from the sign that follows it. Upper and lower
 * case differ.
 */
final class Pattern {
    /** Characters of a pattern. */
    static final int MOST = 1_024;

    private static final String REST = " *";
    private static final char ESCAPE = '\\';

    private Pattern() {}

    static void check(String pattern) {
        if (pattern.isEmpty() || pattern.length() > MOST) {
            throw new IllegalArgumentException("a pattern has 1 to " + MOST + " characters");
        }
    }

    /** @param words whether the value is the words of a command */
    static boolean matches(String pattern, String value, boolean words) {
        if (words && pattern.endsWith(REST)) {
            String command = pattern.substring(0, pattern.length() - REST.length());
            return matches(command, value) || matches(command + " **", value);
        }
        return matches(pattern, value);
    }

    /** Without backtracking beyond the last star of each kind: the time is bounded by the product of both lengths. */
    private static boolean matches(String pattern, String value) {
        int p = 0;
        int v = 0;
        int star = -1;
        int starAt = 0;
        int wide = -1;
        int wideAt = 0;
        while (v < value.length() || p < pattern.length()) {
            if (pattern.startsWith("**", p)) {
                wide = p;
                wideAt = v;
                star = -1;
                p += 2;
            } else if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p;
                starAt = v;
                p++;
            } else if (v < value.length() && p < pattern.length() && fits(pattern, p, value.charAt(v))) {
                p += isEscaped(pattern, p) ? 2 : 1;
                v++;
            } else if (star >= 0 && starAt < value.length() && value.charAt(starAt) != '/') {
                starAt++;
                v = starAt;
                p = star + 1;
            } else if (wide >= 0 && wideAt < value.length()) {
                wideAt++;
                v = wideAt;
                star = -1;
                p = wide + 2;
            } else {
                return false;
            }
        }
        return true;
    }

    private static boolean isEscaped(String pattern, int at) {
        return pattern.charAt(at) == ESCAPE && at + 1 < pattern.length();
    }

    private static boolean fits(String pattern, int at, char value) {
        if (isEscaped(pattern, at)) {
            return pattern.charAt(at + 1) == value;
        }
        return pattern.charAt(at) == value || (pattern.charAt(at) == '?' && value != '/');
    }

    /** The pattern that matches this value alone. */
    static String literal(String value) {
        return value.replaceAll("[*?\\\\]", "\\\\$0");
    }

    /** How much of a pattern is said in so many words: of two that match, the one that says more is more specific. */
    static int specificity(String pattern) {
        return (int) pattern.chars().filter(c -> c != '*' && c != '?').count();
    }
}
