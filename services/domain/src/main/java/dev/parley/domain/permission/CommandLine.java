package dev.parley.domain.permission;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The commands of a shell command line, each as words separated by single spaces: in full, and without wrappers such as
 * {@code sudo}, a directory before the name, or {@code sh -c '…'}. All of them must be allowed. Syntax that rules
 * cannot match is rejected: callers can write it plainly.
 *
 * <p>Programs other than those {@linkplain #PLAIN known not to} may run what their arguments say, as {@code ssh},
 * {@code tar} and {@code git} do. Texts in their arguments that could be commands are {@link #hidden()}: a rule that
 * names such a command and does not allow it applies.
 */
final class CommandLine {
    private static final int DEEPEST = 4;
    private static final int MAX_COMMANDS = 50;

    /** Commands that run the command in their arguments, with the number of arguments before it. */
    private static final Map<String, Integer> WRAPPERS = Map.ofEntries(
            entry("sudo", 0),
            entry("doas", 0),
            entry("env", 0),
            entry("nohup", 0),
            entry("nice", 0),
            entry("ionice", 0),
            entry("time", 0),
            entry("timeout", 1),
            entry("stdbuf", 0),
            entry("setsid", 0),
            entry("xargs", 0),
            entry("command", 0),
            entry("exec", 0),
            entry("builtin", 0),
            entry("busybox", 0),
            entry("toybox", 0),
            entry("chroot", 1),
            entry("unshare", 0),
            entry("strace", 0),
            entry("ltrace", 0),
            entry("flock", 1),
            entry("watch", 0),
            entry("taskset", 1),
            entry("chrt", 1),
            entry("setarch", 1),
            entry("linux64", 0),
            entry("caffeinate", 0),
            entry("unbuffer", 0),
            entry("fakeroot", 0),
            entry("dbus-run-session", 0),
            entry("parallel", 0),
            entry("entr", 0),
            entry("chronic", 0));

    /** Commands whose arguments are never commands. */
    private static final Set<String> PLAIN = Set.of(
            "ls",
            "dir",
            "cat",
            "tac",
            "nl",
            "head",
            "tail",
            "wc",
            "echo",
            "printf",
            "pwd",
            "cd",
            "pushd",
            "popd",
            "cp",
            "mv",
            "rm",
            "rmdir",
            "mkdir",
            "mktemp",
            "touch",
            "ln",
            "chmod",
            "chown",
            "chgrp",
            "stat",
            "file",
            "du",
            "df",
            "tree",
            "basename",
            "dirname",
            "realpath",
            "readlink",
            "grep",
            "egrep",
            "fgrep",
            "cut",
            "tr",
            "uniq",
            "comm",
            "paste",
            "join",
            "fold",
            "fmt",
            "rev",
            "column",
            "diff",
            "cmp",
            "cksum",
            "md5sum",
            "sha1sum",
            "sha256sum",
            "sha512sum",
            "b2sum",
            "base32",
            "base64",
            "od",
            "xxd",
            "hexdump",
            "strings",
            "seq",
            "sleep",
            "date",
            "cal",
            "true",
            "false",
            "test",
            "[",
            "expr",
            "id",
            "whoami",
            "groups",
            "who",
            "hostname",
            "uname",
            "arch",
            "nproc",
            "uptime",
            "free",
            "ps",
            "pgrep",
            "pkill",
            "kill",
            "killall",
            "umask",
            "wait",
            "exit",
            "type",
            "which",
            "whereis",
            "jq",
            "yes",
            "tee",
            "truncate",
            "shred",
            "csplit",
            "sync",
            "ping",
            "nslookup",
            "host",
            "logger",
            "gzip",
            "gunzip",
            "zcat",
            "bzip2",
            "xz",
            "dd");

    /** Programs that run code of their arguments or of their input. */
    private static final Set<String> INTERPRETERS = Set.of(
            "python",
            "pypy",
            "perl",
            "ruby",
            "node",
            "nodejs",
            "deno",
            "bun",
            "php",
            "lua",
            "tclsh",
            "wish",
            "expect",
            "Rscript",
            "R",
            "julia",
            "groovy",
            "scala",
            "jshell",
            "osascript",
            "pwsh",
            "powershell",
            "ghci",
            "guile",
            "sqlite",
            "gdb",
            "lldb",
            "vi",
            "vim",
            "nvim",
            "ex",
            "ed",
            "emacs",
            "fish",
            "csh",
            "tcsh",
            "elvish",
            "nu");

    /** An argument that is code, or that says that the next one or the input is. */
    private static final Pattern CODE =
            Pattern.compile("(?s)-|-[A-Za-z0-9.]*[cCeErp].*|--?(eval|exec|execute|command|print|run|startup).*|[+].*");

    private static final Pattern AWK = Pattern.compile("[gmn]?awk|original-awk");
    private static final Pattern AWK_RUNS =
            Pattern.compile("(?s)-f.*|-[-a-z]*(file|include|load|exec).*|.*(system|[|]|getline|@load).*");
    private static final Pattern VERSION = Pattern.compile("[0-9.]+$");
    private static final Set<String> FIND_RUNS = Set.of("-exec", "-execdir", "-ok", "-okdir");

    /** Wrappers that give their arguments to a shell, as one line. */
    private static final Set<String> READ_BY_A_SHELL = Set.of("watch", "parallel");

    /** Commands that run the commands of their input. */
    private static final Set<String> RUNS_INPUT =
            Set.of("at", "batch", "crontab", "su", "runuser", "nsenter", "script", "socat");

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
    private final Set<String> hidden = new LinkedHashSet<>();

    private CommandLine() {}

    /**
     * Reads a line, which has at least one command.
     *
     * @throws IllegalArgumentException if the line contains syntax that rules cannot match
     */
    static CommandLine of(String line) {
        var commands = new CommandLine();
        commands.add(line, 0);
        if (commands.found.isEmpty()) {
            throw new IllegalArgumentException("has no command");
        }
        return commands;
    }

    /** The commands, at least one. */
    List<String> commands() {
        return List.copyOf(found);
    }

    /** Texts in arguments that the program could run. */
    List<String> hidden() {
        return List.copyOf(hidden);
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
        } else if (WRAPPERS.containsKey(name)) {
            unwrap(name, words, depth);
        } else if (SHELLS.contains(name)) {
            shell(words, depth);
        } else if (name.equals("find")) {
            find(words, depth);
        } else if (!PLAIN.contains(name)) {
            requireNoCode(name, words);
            hidden.addAll(HiddenCommands.in(words.subList(1, words.size())));
        }
    }

    /** Options of a wrapper could take any word as their value, and so hide where the command starts. */
    private void unwrap(String wrapper, List<String> words, int depth) {
        if (words.size() == 1) {
            return;
        }
        List<String> inner = words.subList(Math.min(1 + WRAPPERS.getOrDefault(wrapper, 0), words.size()), words.size());
        if (words.get(1).startsWith("-") || inner.isEmpty() || inner.getFirst().startsWith("-")) {
            throw new IllegalArgumentException(
                    "gives '" + wrapper + "' options, which rules cannot check; leave them out");
        }
        command(inner, depth);
        if (READ_BY_A_SHELL.contains(wrapper)) {
            add(String.join(" ", inner), depth + 1);
        }
    }

    /** {@code -exec} and its kin run what follows, up to {@code ;} or {@code +}. */
    private void find(List<String> words, int depth) {
        for (int i = 1; i < words.size(); i++) {
            if (FIND_RUNS.contains(words.get(i))) {
                int end = i + 1;
                while (end < words.size()
                        && !words.get(end).equals(";")
                        && !words.get(end).equals("+")) {
                    end++;
                }
                if (end == i + 1) {
                    throw new IllegalArgumentException("gives 'find' no command after '" + words.get(i) + "'");
                }
                command(words.subList(i + 1, end), depth);
                i = end;
            }
        }
    }

    private static void requireNoCode(String name, List<String> words) {
        List<String> arguments = words.subList(1, words.size());
        boolean runsCode = RUNS_INPUT.contains(name)
                || (INTERPRETERS.contains(VERSION.matcher(name).replaceFirst(""))
                        && (arguments.isEmpty() || arguments.stream().anyMatch(CODE.asMatchPredicate())))
                || (AWK.matcher(name).matches() && arguments.stream().anyMatch(AWK_RUNS.asMatchPredicate()));
        if (runsCode) {
            throw new IllegalArgumentException("gives '" + name
                    + "' code to run, which rules cannot check; run a script file, or write plain commands");
        }
    }

    private void shell(List<String> words, int depth) {
        if (words.size() == 1) {
            throw new IllegalArgumentException("starts a shell that reads commands, which rules cannot check");
        }
        if (!words.get(1).startsWith("-")) {
            hidden.addAll(HiddenCommands.in(words.subList(1, words.size()))); // a script
            return;
        }
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
