package dev.parley.domain.permission;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the texts in the arguments of a program that could be commands: from each beginning of a word to the end of its
 * argument list, or to what ends a command in a shell. Quotes, backslashes and expansions within an argument are left
 * out, as a second shell would.
 */
final class HiddenCommands {
    private static final int MAX = 1_000;

    /** What a shell would remove from a word. */
    private static final Pattern NOTATION = Pattern.compile("[\"'\\\\]|\\$[A-Za-z0-9_@*#?!-]|\\$\\{[^}]*}|\\$'");
    /** Where a command can begin: at a word, and at a file's name after its folders. */
    private static final Pattern BEGIN = Pattern.compile("(?<![\\p{Alnum}_.-])[\\p{Alnum}_.\\[-]");

    private static final Pattern END = Pattern.compile("[;|&`()<>\\r\\n]");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private HiddenCommands() {}

    /** @throws IllegalArgumentException if there are too many to check */
    static Set<String> in(List<String> arguments) {
        var found = new LinkedHashSet<String>();
        String text = NOTATION.matcher(String.join(" ", arguments)).replaceAll("");
        Matcher begin = BEGIN.matcher(text);
        while (begin.find()) {
            String rest = text.substring(begin.start());
            Matcher end = END.matcher(rest);
            String command = end.find() ? rest.substring(0, end.start()) : rest;
            found.add(BLANKS.matcher(command.strip()).replaceAll(" "));
            if (found.size() > MAX) {
                throw new IllegalArgumentException("has too many arguments for rules to check; write shorter commands");
            }
        }
        return found;
    }
}
