package dev.parley.tools.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.regex.Regex;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import java.time.Duration;

/** The tool {@code file_grep}: finds lines of text files by a regular expression. */
record FileGrepTool(Workspaces workspaces) implements Tool {
    private static final int MAX_LINES = 200;
    private static final int MAX_CHARACTERS = 20_000;
    private static final int MAX_LINE = 300;
    /** Only the beginning of longer lines is searched. */
    private static final int MAX_SEARCHED = 20_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final ToolSpec SPEC = FileTools.spec(
            "file_grep",
            "Searches text files of the project's workspace for lines that match a regular expression (RE2 syntax).",
            "folder",
            ToolAccess.READ,
            """
            {"type":"object","properties":{\
            "folder":{"type":"string","description":"Folder to search, such as /src. Use / for all."},\
            "pattern":{"type":"string","minLength":1,"description":"Regular expression, matched against single lines."},\
            "files":{"type":"string","description":"Only files that match this glob, such as *.java."},\
            "ignore_case":{"type":"boolean","description":"Whether to ignore case. Defaults to false."}},\
            "required":["folder","pattern"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        return FileTools.text(workspaces, call, workspace -> {
            FilePath folder = FilePath.folder(arguments.get("folder").asText());
            var files = new Glob(folder, arguments.path("files").asText("**"));
            return new Search(pattern(arguments)).run(workspace, folder, files);
        });
    }

    private static Pattern pattern(JsonNode arguments) {
        try {
            return Regex.compile(
                    arguments.get("pattern").asText(),
                    arguments.path("ignore_case").asBoolean(false));
        } catch (IllegalArgumentException e) {
            throw new WorkspaceException(WorkspaceException.Kind.INVALID, String.valueOf(e.getMessage()));
        }
    }

    /** The state of a running search. */
    private static final class Search {
        private final Pattern pattern;
        private final StringBuilder found = new StringBuilder();
        private final long deadline = System.nanoTime() + TIMEOUT.toNanos();
        private int lines;
        private String stopReason = "";

        Search(Pattern pattern) {
            this.pattern = pattern;
        }

        String run(Workspace workspace, FilePath folder, Glob files) throws InterruptedException {
            for (FileInfo file : workspace.list(folder, files, Workspace.MAX_FILES)) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("the search was stopped");
                }
                String text =
                        file.text() ? workspace.read(file.id(), file.version()).text() : null;
                if (text != null) {
                    search(file.path(), text);
                }
                if (!stopReason.isEmpty()) {
                    return found + "[" + stopReason + " in " + file.path() + "; narrow the search]";
                }
            }
            return found.isEmpty() ? "No line matches." : found.toString();
        }

        private void search(String path, String text) {
            int number = 0;
            for (int lineStart = 0; lineStart < text.length() && stopReason.isEmpty(); number++) {
                int feed = text.indexOf('\n', lineStart);
                int lineEnd = feed < 0 ? text.length() : feed;
                int end = lineEnd > lineStart && text.charAt(lineEnd - 1) == '\r' ? lineEnd - 1 : lineEnd;
                String line = text.substring(lineStart, Math.min(end, lineStart + MAX_SEARCHED));
                if (pattern.matcher(line).find()) {
                    add(path, number + 1, line);
                }
                lineStart = lineEnd + 1;
                stopReason = lines >= MAX_LINES || found.length() > MAX_CHARACTERS
                        ? "stopped after " + lines + " lines"
                        : System.nanoTime() - deadline > 0 ? "stopped after " + TIMEOUT.toSeconds() + " seconds" : "";
            }
        }

        private void add(String path, int number, String line) {
            found.append(path).append(':').append(number).append(": ");
            found.append(NumberedLines.abbreviate(line.strip(), MAX_LINE)).append('\n');
            lines++;
        }
    }
}
