package dev.parley.tools.files;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import tools.jackson.databind.JsonNode;

/** The tool {@code file_read}: returns numbered lines of a text file. */
record FileReadTool(Workspaces workspaces) implements Tool {
    private static final ToolSpec SPEC = FileTools.spec(
            "file_read",
            "Reads a text file of the project's workspace. Each line comes with its number and a tab before it, which are not part of it.",
            "path",
            ToolAccess.READ,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"From the root, such as /notes/today.md"},\
            %s},\
            "required":["path"],"additionalProperties":false}""".formatted(NumberedLines.PROPERTIES));

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        var lines = NumberedLines.of(arguments);
        return FileTools.text(workspaces, call, workspace -> {
            Workspace.Read read =
                    workspace.read(FilePath.file(arguments.get("path").asString()));
            return lines.show(read.file().path(), Workspace.text(read));
        });
    }
}
