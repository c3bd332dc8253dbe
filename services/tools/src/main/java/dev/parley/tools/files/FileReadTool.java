package dev.parley.tools.files;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import tools.jackson.databind.JsonNode;

/** The tool {@code file_read}: returns numbered lines of a text file. */
record FileReadTool(Workspaces workspaces) implements Tool {
    private static final int MAX_LINES = FileTools.MAX_LINES;
    private static final int MAX_LINE = 2_000;
    /** Maximum characters; a longer result would be cut in the middle. */
    private static final int MAX_CHARACTERS = 20_000;

    private static final ToolSpec SPEC = FileTools.spec(
            "file_read",
            "Reads a text file of the project's workspace. Each line comes with its number and a tab before it, which are not part of it.",
            "path",
            ToolAccess.READ,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"From the root, such as /notes/today.md"},\
            "offset":{"type":"integer","minimum":1,"maximum":1000000000,"description":"The first line to show; 1 where it is missing"},\
            "limit":{"type":"integer","minimum":1,"maximum":%d,"description":"How many lines; %1$d where it is missing"}},\
            "required":["path"],"additionalProperties":false}""".formatted(MAX_LINES));

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        int offset = arguments.path("offset").asInt(1);
        int limit = arguments.path("limit").asInt(MAX_LINES);
        return FileTools.tell(workspaces, call, workspace -> {
            Workspace.Read read =
                    workspace.read(FilePath.file(arguments.get("path").asString()));
            return shown(read.file().path(), Workspace.text(read), offset, limit);
        });
    }

    static String shown(String path, String text, int offset, int limit) {
        if (text.isEmpty()) {
            return path + " is empty.";
        }
        String[] lines = (text.endsWith("\n") ? text.substring(0, text.length() - 1) : text).split("\n", -1);
        if (offset > lines.length) {
            throw new WorkspaceException(
                    WorkspaceException.Kind.INVALID, "%s has %d lines".formatted(path, lines.length));
        }
        var shown = new StringBuilder();
        int line = offset;
        int end = (int) Math.min(lines.length, offset - 1L + limit);
        while (line <= end && shown.length() < MAX_CHARACTERS) {
            shown.append(line)
                    .append('\t')
                    .append(cut(lines[line - 1], MAX_LINE))
                    .append('\n');
            line++;
        }
        if (line <= lines.length) {
            shown.append("[%d of %d lines; go on with offset %d]".formatted(line - offset, lines.length, line));
        }
        return shown.toString();
    }

    /** A line cut to a length, never within a surrogate pair. */
    static String cut(String line, int most) {
        if (line.length() <= most) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(most - 1)) ? most - 1 : most;
        return line.substring(0, end) + " … (" + (line.length() - end) + " more characters)";
    }
}
