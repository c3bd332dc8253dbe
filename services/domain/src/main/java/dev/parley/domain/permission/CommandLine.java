package dev.parley.domain.permission;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The commands of a command line, each as its words with single spaces, without what only wraps it ({@code sudo}, {@code env},
 * {@code timeout 5}, {@code sh -c '…'}). What cannot be known before the shell runs it, such as {@code $(…)}, stands as it was
 * written: only a rule for everything allows it.
 */
final class CommandLine {
    private static final int DEEPEST = 8;

    /** Commands that run the command that follows them. */
    private static final Set<String> WRAPPERS = Set.of(
            "sudo", "doas", "env", "nohup", "nice", "ionice", "time", "timeout", "stdbuf", "setsid", "xargs", "command",
            "exec", "builtin", "busybox", "chroot", "unshare", "strace");

    private static final Set<String> SHELLS = Set.of("sh", "bash", "zsh", "dash", "ksh", "ash", "eval");

    private CommandLine() {}

    /** @return at least one */
    static List<String> commands(String line) {
        var found = new ArrayList<String>();
        add(found, line, 0);
        return found.isEmpty() ? List.of(line.strip()) : List.copyOf(found);
    }

    private static void add(List<String> found, String line, int depth) {
        if (depth > DEEPEST) {
            found.add(line.strip());
            return;
        }
        var nested = new ArrayList<String>();
        for (List<String> words : new Words(line, nested).split()) {
            unwrap(found, words, depth);
        }
        nested.forEach(inner -> add(found, inner, depth + 1));
    }

    private static void unwrap(List<String> found, List<String> words, int depth) {
        int i = 0;
        boolean wrapped = false;
        while (i < words.size()) {
            String word = words.get(i);
            String name = word.substring(word.lastIndexOf('/') + 1);
            if (isAssignment(word)) {
                i++;
            } else if (WRAPPERS.contains(name)) {
                wrapped = true;
                i++;
            } else if (wrapped && (word.startsWith("-") || isAmount(word))) {
                i++; // an option of what wraps it; its value, if there is one, is taken for the command: rules for that
                // fail safe
            } else {
                break;
            }
        }
        if (i == words.size()) {
            if (!words.isEmpty()) {
                found.add(String.join(" ", words));
            }
            return;
        }
        var rest = words.subList(i, words.size());
        String first = rest.getFirst();
        String name = first.substring(first.lastIndexOf('/') + 1);
        if (SHELLS.contains(name) && runsText(name, rest)) {
            add(found, script(name, rest), depth + 1);
        } else {
            var all = new ArrayList<>(rest);
            all.set(0, name);
            found.add(String.join(" ", all));
            if (wrapped && i < words.size() - 1 && words.get(i - 1).startsWith("-")) {
                // "sudo -u root rm x": either word may be the command
                unwrap(found, words.subList(i + 1, words.size()), depth + 1);
            }
        }
    }

    private static boolean runsText(String shell, List<String> words) {
        return shell.equals("eval") || words.stream().skip(1).anyMatch(word -> word.matches("-[a-z]*c[a-z]*"));
    }

    private static String script(String shell, List<String> words) {
        if (shell.equals("eval")) {
            return String.join(" ", words.subList(1, words.size()));
        }
        int flag = 1;
        while (!words.get(flag).matches("-[a-z]*c[a-z]*")) {
            flag++;
        }
        return flag + 1 < words.size() ? words.get(flag + 1) : "";
    }

    private static boolean isAssignment(String word) {
        return word.matches("[A-Za-z_][A-Za-z0-9_]*=.*");
    }

    private static boolean isAmount(String word) {
        return word.matches("[0-9]+(\\.[0-9]+)?[smhd]?");
    }
}
