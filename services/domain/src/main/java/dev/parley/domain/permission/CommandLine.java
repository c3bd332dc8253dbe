package dev.parley.domain.permission;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The commands of a shell command line, each as words separated by single spaces: in full, and without wrappers such as
 * {@code sudo}, a directory before the name, or {@code sh -c '…'}. All of them must be allowed. Syntax that rules
 * cannot match is rejected: callers can write it plainly.
 */
final class CommandLine {
    private static final int DEEPEST = 4;
    private static final int MAX_COMMANDS = 50;

    /** Commands that run the command in their arguments. */
    private static final Set<String> WRAPPERS = Set.of(
            "sudo", "doas", "env", "nohup", "nice", "ionice", "time", "timeout", "stdbuf", "setsid", "xargs", "command",
            "exec", "builtin", "busybox", "chroot", "unshare", "strace");

    private static final Set<String> SHELLS = Set.of("sh", "bash", "zsh", "dash", "ksh", "ash");

    /** Shell keywords at the start of a command. */
    private static final Set<String> KEYWORDS = Set.of(
            "!",
            "if",
            "then",
            "elif",
            "else",
            "fi",
            "for",
            "while",
            "until",
            "do",
            "done",
            "case",
            "esac",
            "select",
            "function",
            "coproc",
            "[[",
            "eval",
            "source",
            ".",
            "trap",
            "alias");

    private final Set<String> found = new LinkedHashSet<>();

    private CommandLine() {}

    /**
     * The commands of a line; at least one.
     *
     * @throws IllegalArgumentException if the line contains syntax that rules cannot match
     */
    static List<String> commands(String line) {
        var commands = new CommandLine();
        commands.add(line, 0);
        if (commands.found.isEmpty()) {
            throw new IllegalArgumentException("has no command");
        }
        return List.copyOf(commands.found);
    }

    private void add(String line, int depth) {
        if (depth > DEEPEST || found.size() > MAX_COMMANDS) {
            throw new IllegalArgumentException("has too many commands in each other; call one after the other");
        }
        var nested = new ArrayList<String>();
        for (List<String> words : new ShellWords(line, nested).split()) {
            command(words, depth);
        }
        nested.forEach(inner -> add(inner, depth + 1));
    }

    private void command(List<String> words, int depth) {
        String first = words.getFirst();
        if (KEYWORDS.contains(first) || isAssignment(first)) {
            throw new IllegalArgumentException(
                    "begins a command with '" + first + "', which rules cannot check; write plain commands");
        }
        found.add(String.join(" ", words));
        String name = first.substring(first.lastIndexOf('/') + 1);
        if (!name.equals(first)) {
            var withoutPath = new ArrayList<>(words);
            withoutPath.set(0, name);
            command(withoutPath, depth);
        } else if (WRAPPERS.contains(name) && words.size() > 1) {
            unwrap(name, words, depth);
        } else if (SHELLS.contains(name) && words.size() > 1 && words.get(1).startsWith("-")) {
            shell(words, depth);
        }
    }

    /** Options of a wrapper could take any word as their value, and so hide where the command starts. */
    private void unwrap(String wrapper, List<String> words, int depth) {
        int start = wrapper.equals("timeout") ? 2 : 1;
        List<String> inner = words.subList(Math.min(start, words.size()), words.size());
        if (words.get(1).startsWith("-") || inner.isEmpty()) {
            throw new IllegalArgumentException(
                    "gives '" + wrapper + "' options, which rules cannot check; leave them out");
        }
        command(inner, depth);
    }

    private void shell(List<String> words, int depth) {
        boolean plain =
                words.size() == 3 && (words.get(1).equals("-c") || words.get(1).equals("-lc"));
        if (!plain) {
            throw new IllegalArgumentException("starts a shell with options other than -c, which rules cannot check");
        }
        add(words.get(2), depth + 1);
    }

    private static boolean isAssignment(String word) {
        int equals = word.indexOf('=');
        return equals > 0 && (Character.isLetter(word.charAt(0)) || word.charAt(0) == '_');
    }
}
