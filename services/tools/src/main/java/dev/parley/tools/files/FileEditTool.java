package dev.parley.tools.files;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import tools.jackson.databind.JsonNode;

/** The tool {@code file_edit}: replaces a text in a file. */
record FileEditTool(Workspaces workspaces) implements Tool {
    private static final ToolSpec SPEC = FileTools.spec(
            "file_edit",
            "Replaces a text in a file of the project's workspace by another one. The old text must occur exactly once, "
                    + "unless replace_all is true; it may have several lines.",
            "path",
            ToolAccess.WRITE,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"From the root, such as /notes/today.md"},\
            "old_text":{"type":"string","minLength":1,"description":"As it stands in the file, without line numbers"},\
            "new_text":{"type":"string","description":"What is to stand there"},\
            "replace_all":{"type":"boolean","description":"true: wherever the old text is"}},\
            "required":["path","old_text","new_text"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        String old = arguments.get("old_text").asString();
        String with = arguments.get("new_text").asString();
        boolean everywhere = arguments.path("replace_all").asBoolean(false);
        return FileTools.run(workspaces, call, workspace -> {
            FilePath path = FilePath.file(arguments.get("path").asString());
            FileVersion made = workspace.edit(
                    path, text -> replaced(text, old, with, everywhere), Precondition.NONE, FileTools.author(call));
            return FileTools.told("Changed", workspace, made);
        });
    }

    /**
     * The text after the replacement.
     *
     * @throws WorkspaceException when the old text is missing or ambiguous, or nothing would change
     */
    static String replaced(String text, String old, String with, boolean everywhere) {
        if (old.equals(with)) {
            throw bad("old_text and new_text are the same");
        }
        int found = count(text, old);
        if (found == 0) {
            throw bad("the file has no such old_text; it must match to the character, with spaces and line ends"
                    + (text.contains("\r\n") && old.indexOf('\n') >= 0 ? ": its lines end with \\r\\n" : ""));
        }
        if (found > 1 && !everywhere) {
            throw bad("the old_text is in the file " + found
                    + " times; give more of what stands around it, or set replace_all to true");
        }
        long length = text.length() + (long) found * (with.length() - old.length());
        if (length > Workspace.MAX_TEXT) {
            throw new WorkspaceException(
                    WorkspaceException.Kind.TOO_LARGE, "the file would have " + length + " characters");
        }
        return text.replace(old, with);
    }

    private static int count(String text, String part) {
        int count = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }

    private static WorkspaceException bad(String why) {
        return new WorkspaceException(WorkspaceException.Kind.INVALID, why);
    }
}
