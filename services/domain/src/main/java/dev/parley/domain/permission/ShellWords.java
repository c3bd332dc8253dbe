package dev.parley.domain.permission;

import java.util.ArrayList;
import java.util.List;

/**
 * A lexer for shell command lines: splits each command into words, removing quotes and backslashes; an unfinished quote
 * ends with the line. Command substitutions, {@code $(…)} and backticks, are returned as nested command lines. Other
 * expansions are rejected.
 */
final class ShellWords {
    private static final String BORDERS = ";|&\n(){}<>";

    private final String line;
    private final List<String> nested;
    private final List<List<String>> commands = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private List<String> words = new ArrayList<>();
    private boolean inWord;
    private int at;

    /** @param nested receives command substitutions */
    ShellWords(String line, List<String> nested) {
        this.line = line;
        this.nested = nested;
    }

    List<List<String>> split() {
        while (at < line.length()) {
            char c = line.charAt(at);
            switch (c) {
                case '\'' -> readQuoted();
                case '"' -> readDoubleQuoted();
                case '\\' -> readEscaped();
                case '`' -> readBackticks();
                case '$' -> readDollar();
                case '#' -> readHash();
                default -> readPlain(c);
            }
        }
        endCommand();
        return commands;
    }

    private void readPlain(char c) {
        at++;
        if ((c == '{' && (inWord || at < line.length() && !Character.isWhitespace(line.charAt(at))))) {
            throw refusal("braces in words");
        }
        if (BORDERS.indexOf(c) >= 0) {
            endCommand();
        } else if (Character.isWhitespace(c)) {
            endWord();
        } else {
            append(c);
        }
    }

    private void append(char c) {
        word.append(c);
        inWord = true;
    }

    private static IllegalArgumentException refusal(String construct) {
        return new IllegalArgumentException("has " + construct + ", which rules cannot check; write plain commands");
    }

    private void readHash() {
        if (!inWord) {
            throw refusal("a comment");
        }
        append('#');
        at++;
    }

    private void readEscaped() {
        at++;
        if (at < line.length()) {
            if (line.charAt(at) == '\n') {
                throw refusal("a line that goes on in the next one");
            }
            append(line.charAt(at++));
        }
    }

    private void readQuoted() {
        int end = line.indexOf('\'', at + 1);
        int until = end < 0 ? line.length() : end;
        word.append(line, at + 1, until);
        inWord = true;
        at = until + 1;
    }

    private void readDoubleQuoted() {
        inWord = true;
        at++;
        while (at < line.length() && line.charAt(at) != '"') {
            switch (line.charAt(at)) {
                case '\\' -> readEscaped();
                case '`' -> readBackticks();
                case '$' -> readDollar();
                default -> append(line.charAt(at++));
            }
        }
        at++;
    }

    private void readBackticks() {
        int end = line.indexOf('`', at + 1);
        int until = end < 0 ? line.length() : end;
        if (line.substring(at, until).indexOf('\\') >= 0) {
            throw refusal("a backslash between backticks");
        }
        readInner(at + 1, until);
    }

    /** {@code ${NAME}} is part of a word, {@code $(…)} is a command. */
    private void readDollar() {
        char next = at + 1 < line.length() ? line.charAt(at + 1) : ' ';
        if (next == '\'' || next == '"') {
            throw refusal("a quote after $");
        }
        if (next == '(') {
            readInner(at + 2, closing(at + 2));
        } else if (next == '{') {
            int end = line.indexOf('}', at);
            if (end < 0 || !line.substring(at + 2, end).matches("[A-Za-z0-9_]+")) {
                throw refusal("more than a name in ${…}");
            }
            word.append(line, at, end + 1);
            inWord = true;
            at = end + 1;
        } else {
            append('$');
            at++;
        }
    }

    private void readInner(int from, int until) {
        nested.add(line.substring(from, until));
        word.append(line, at, Math.min(until + 1, line.length()));
        inWord = true;
        at = until + 1;
    }

    private int closing(int from) {
        int depth = 1;
        for (int i = from; i < line.length(); i++) {
            if ("\"'\\#`".indexOf(line.charAt(i)) >= 0) {
                throw refusal("quotes, backslashes or comments in $(…)");
            }
            depth += line.charAt(i) == '(' ? 1 : line.charAt(i) == ')' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return line.length();
    }

    private void endWord() {
        if (inWord) {
            words.add(word.toString());
        }
        word.setLength(0);
        inWord = false;
    }

    private void endCommand() {
        endWord();
        if (!words.isEmpty()) {
            commands.add(words);
        }
        words = new ArrayList<>();
    }
}
