package dev.parley.tools.checkout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Subject;
import dev.parley.tools.FunctionTool;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.checkout.Checkout.Changed;
import dev.parley.tools.files.FilePath;
import dev.parley.tools.files.Glob;
import dev.parley.tools.files.NumberedLines;
import dev.parley.tools.files.TextReplacement;
import dev.parley.tools.files.WorkspaceException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tools for the checkout of a local or git project. */
public final class CheckoutTools {
    /** The name of the shell. */
    static final String SHELL = "shell";

    private static final Logger LOG = LoggerFactory.getLogger(CheckoutTools.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final int MAX_COMMITS = 100;
    private static final int DEFAULT_COMMITS = 20;
    private static final int MAX_SHELL_SECONDS = 600;
    private static final int DEFAULT_SHELL_SECONDS = 120;

    private CheckoutTools() {}

    /**
     * All checkout tools; none if the operator allows no checkouts, and the shell only where some project may have it.
     */
    public static List<Tool> all(Checkouts checkouts) {
        if (!checkouts.areAllowed()) {
            return List.of();
        }
        var tools = new ArrayList<Tool>(List.of(
                list(checkouts),
                read(checkouts),
                write(checkouts),
                edit(checkouts),
                diff(checkouts),
                log(checkouts),
                commit(checkouts)));
        if (checkouts.haveShell()) {
            tools.add(shell(checkouts));
        }
        return tools;
    }

    /** Lists the files whose paths match a pattern. */
    private static Tool list(Checkouts checkouts) {
        ToolSpec spec = spec(
                "repo_list",
                "Lists files of the project's checkout whose paths match a pattern, with their sizes in bytes. Symbolic links are not followed.",
                "folder",
                ToolAccess.READ,
                ToolEffect.IDEMPOTENT,
                """
            {"type":"object","properties":{\
            "folder":{"type":"string","description":"Folder to search, such as /src. Use / for all."},\
            "pattern":{"type":"string","description":\
            "Glob relative to the folder, such as **/*.c: ** crosses folders, * stays within a name, {a,b} matches either. Without a slash it matches names in any folder. Defaults to all files."}},\
            "required":["folder"],"additionalProperties":false}""");
        return new FunctionTool(
                spec,
                (call, arguments) -> run(checkouts, call, checkout -> {
                    FilePath folder = FilePath.folder(arguments.get("folder").asText());
                    String pattern = arguments.path("pattern").asText("**");
                    return new CheckoutListing(new Glob(folder, pattern)).of(checkout, folder);
                }));
    }

    /** Returns numbered lines of a text file. */
    private static Tool read(Checkouts checkouts) {
        ToolSpec spec = spec(
                "repo_read",
                "Reads a text file of the project's checkout. Each line is prefixed with its number and a tab, which are not part of it.",
                "path",
                ToolAccess.READ,
                ToolEffect.IDEMPOTENT,
                """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"Path from the root of the checkout, such as /src/main.c."},\
            %s},\
            "required":["path"],"additionalProperties":false}""".formatted(NumberedLines.PROPERTIES));
        return new FunctionTool(
                spec,
                (call, arguments) -> run(checkouts, call, checkout -> {
                    FilePath path = FilePath.file(arguments.get("path").asText());
                    return NumberedLines.of(arguments).show(path.value(), checkout.text(path));
                }));
    }

    /** Writes a complete text file. Idempotent. */
    private static Tool write(Checkouts checkouts) {
        ToolSpec spec = spec(
                "repo_write",
                "Creates or overwrites a text file in the project's checkout; missing folders are created. "
                        + "Use repo_edit to change parts of a file.",
                "path",
                ToolAccess.WRITE,
                ToolEffect.IDEMPOTENT,
                """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"Path from the root of the checkout, such as /src/main.c."},\
            "content":{"type":"string","description":"Complete content of the file, at most 8 MiB."}},\
            "required":["path","content"],"additionalProperties":false}""");
        return new FunctionTool(
                spec, (call, arguments) -> run(checkouts, call, checkout -> write(checkout, arguments)));
    }

    private static String write(Checkout checkout, JsonNode arguments) throws IOException, InterruptedException {
        String content = arguments.get("content").asText();
        FilePath path = FilePath.file(arguments.get("path").asText());
        Changed changed = checkout.change(path, true, _ -> content);
        return changed.isChanged()
                ? "%s %s: %d bytes".formatted(changed.isNew() ? "Created" : "Wrote", path, changed.size())
                : path + " is unchanged: it already has this content";
    }

    /** Replaces a text in a file. Not idempotent. */
    private static Tool edit(Checkouts checkouts) {
        ToolSpec spec = spec(
                "repo_edit",
                "Replaces text in a file of the project's checkout. old_text must occur exactly once, "
                        + "unless replace_all is true; it may span lines.",
                "path",
                ToolAccess.WRITE,
                ToolEffect.AT_MOST_ONCE,
                """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"Path from the root of the checkout, such as /src/main.c."},\
            %s},\
            "required":["path","old_text","new_text"],"additionalProperties":false}""".formatted(TextReplacement.PROPERTIES));
        return new FunctionTool(spec, (call, arguments) -> run(checkouts, call, checkout -> edit(checkout, arguments)));
    }

    private static String edit(Checkout checkout, JsonNode arguments) throws IOException, InterruptedException {
        var replacement = TextReplacement.of(arguments);
        FilePath path = FilePath.file(arguments.get("path").asText());
        Changed changed = checkout.change(path, false, text -> {
            if (text == null) {
                throw Checkout.missing(path);
            }
            return replacement.apply(text);
        });
        return "Changed %s: %d bytes".formatted(path, changed.size());
    }

    /** Returns a diff against the last commit, or of two revisions. */
    private static Tool diff(Checkouts checkouts) {
        ToolSpec spec = spec(
                "repo_diff",
                "Returns a unified diff of the project's checkout: the working tree, including new files, against the last commit, "
                        + "or between two revisions.",
                "path",
                ToolAccess.READ,
                ToolEffect.IDEMPOTENT,
                """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"File or folder to compare, such as /src. Use / for all."},\
            "from":{"type":"string","minLength":1,"maxLength":200,"description":"Revision, such as HEAD~2. Defaults to HEAD."},\
            "to":{"type":"string","minLength":1,"maxLength":200,"description":"Revision. Defaults to the working tree."}},\
            "required":["path"],"additionalProperties":false}""");
        return new FunctionTool(spec, (call, arguments) -> git(checkouts, call, (_, git) -> diff(git, arguments)));
    }

    private static String diff(GitCheckout git, JsonNode arguments) throws IOException {
        String from = arguments.path("from").asText("HEAD");
        String to = arguments.has("to") ? arguments.get("to").asText() : null;
        return git.diff(from, to, FilePath.folder(arguments.get("path").asText()));
    }

    /** Lists commits. */
    private static Tool log(Checkouts checkouts) {
        ToolSpec spec = spec(
                "repo_log",
                "Lists commits of the project's checkout, newest first: id, time in UTC, author, subject.",
                "path",
                ToolAccess.READ,
                ToolEffect.IDEMPOTENT,
                """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"Only commits that changed this file or folder. Use / for all."},\
            "from":{"type":"string","minLength":1,"maxLength":200,"description":"Revision to start at. Defaults to HEAD."},\
            "limit":{"type":"integer","minimum":1,"maximum":%d,"description":"Maximum number of commits. Defaults to %d."}},\
            "required":["path"],"additionalProperties":false}""".formatted(MAX_COMMITS, DEFAULT_COMMITS));
        return new FunctionTool(
                spec,
                (call, arguments) -> git(checkouts, call, (_, git) -> {
                    String from = arguments.has("from") ? arguments.get("from").asText() : null;
                    FilePath path = FilePath.folder(arguments.get("path").asText());
                    return git.log(from, path, arguments.path("limit").asInt(DEFAULT_COMMITS));
                }));
    }

    /** Commits files. A repeated call makes only one commit. */
    private static Tool commit(Checkouts checkouts) {
        ToolSpec spec = new ToolSpec(
                        "repo_commit",
                        "Commits the current state of files in the project's checkout, including deletions, and nothing else. No hooks run.",
                        """
            {"type":"object","properties":{\
            "message":{"type":"string","minLength":1,"maxLength":10000,"description":"Commit message: a subject line in the imperative, then details after an empty line."},\
            "paths":{"type":"array","minItems":1,"maxItems":50,"items":{"type":"string","minLength":1},\
            "description":"Files and folders to commit, such as /src. Use / for all."}},\
            "required":["message","paths"],"additionalProperties":false}""",
                        ToolEffect.IDEMPOTENT,
                        TIMEOUT)
                .with(ToolAccess.WRITE);
        return new FunctionTool(spec, (call, arguments) -> commit(checkouts, call, arguments));
    }

    private static ToolOutput commit(Checkouts checkouts, ToolCallContext call, JsonNode arguments)
            throws InterruptedException {
        String message = arguments.get("message").asText().replace("\0", "");
        if (message.isBlank()) {
            return new ToolOutput.Failed("the message is empty");
        }
        return git(checkouts, call, (checkout, git) -> {
            List<FilePath> paths = arguments
                    .get("paths")
                    .valueStream()
                    .map(path -> FilePath.folder(path.asText()))
                    .toList();
            return checkout.withLock(
                    () -> git.commit(message, paths, call.agent(), call.callId().toString()));
        });
    }

    /** Runs a command, at most once. */
    static Tool shell(Checkouts checkouts) {
        ToolSpec spec = new ToolSpec(
                        SHELL,
                        "Runs a shell command in the project's checkout, without input, and returns its output and exit status. "
                                + "Background processes end with the command.",
                        """
            {"type":"object","properties":{\
            "command":{"type":"string","minLength":1,"maxLength":4096,"description":"Command line, such as mvn -q test."},\
            "timeout_seconds":{"type":"integer","minimum":1,"maximum":%d,"description":"Seconds until the command is killed. Defaults to %d."}},\
            "required":["command"],"additionalProperties":false}""".formatted(MAX_SHELL_SECONDS, DEFAULT_SHELL_SECONDS),
                        ToolEffect.AT_MOST_ONCE,
                        Duration.ofSeconds(MAX_SHELL_SECONDS + 60),
                        new About(Subject.Kind.COMMAND, "command"))
                .with(ToolAccess.EXECUTE);
        return new FunctionTool(spec, (call, arguments) -> shell(checkouts, call, arguments));
    }

    private static ToolOutput shell(Checkouts checkouts, ToolCallContext call, JsonNode arguments)
            throws InterruptedException {
        String command = arguments.get("command").asText();
        if (command.indexOf('\0') >= 0) {
            return new ToolOutput.Failed("the command has a NUL");
        }
        Optional<String> noShell = checkouts.noShell(call.host(), call.project());
        if (noShell.isPresent()) {
            return new ToolOutput.Failed(noShell.get());
        }
        var timeout = Duration.ofSeconds(arguments.path("timeout_seconds").asInt(DEFAULT_SHELL_SECONDS));
        return run(
                checkouts,
                call,
                checkout -> checkout.withLock(() -> new ShellCommand(checkout.root()).run(command, timeout)));
    }

    /** @param pathArgument name of the argument with the path, which permission rules check */
    static ToolSpec spec(
            String name,
            String description,
            String pathArgument,
            ToolAccess access,
            ToolEffect effect,
            String parameters) {
        return new ToolSpec(name, description, parameters, effect, TIMEOUT, new About(Subject.Kind.PATH, pathArgument))
                .with(access);
    }

    /** The work of a call in a checkout, which returns a text. */
    @FunctionalInterface
    interface Work {
        String run(Checkout checkout) throws IOException, InterruptedException;
    }

    /** Runs work in the checkout of the call's project; failures are reported to the model. */
    static ToolOutput run(Checkouts checkouts, ToolCallContext call, Work work) throws InterruptedException {
        try {
            return ToolOutput.of(work.run(checkouts.of(call)));
        } catch (CheckoutException e) {
            return new ToolOutput.Failed(e.getMessage());
        } catch (WorkspaceException e) { // thrown by paths and texts
            return new ToolOutput.Failed(e.getMessage());
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("call", call.callId()).setCause(e).log("checkout is not usable");
            return new ToolOutput.Failed("the checkout cannot be read or written at this path ("
                    + e.getClass().getSimpleName() + "); it may have changed concurrently, or access is denied");
        }
    }

    /** Runs work in the git repository of the call's project. */
    static ToolOutput git(Checkouts checkouts, ToolCallContext call, GitWork work) throws InterruptedException {
        return run(checkouts, call, checkout -> {
            try (GitCheckout git = GitCheckout.of(checkout)) {
                return work.run(checkout, git);
            }
        });
    }

    /** The work of a call in a git repository, which returns a text. */
    @FunctionalInterface
    interface GitWork {
        String run(Checkout checkout, GitCheckout git) throws IOException, InterruptedException;
    }
}
