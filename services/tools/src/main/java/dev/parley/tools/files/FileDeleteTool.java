package dev.parley.tools.files;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import tools.jackson.databind.JsonNode;

/** Deletes a file, whose versions stay. */
record FileDeleteTool(Workspaces workspaces) implements Tool {
    private static final ToolSpec SPEC =
            FileTools.spec("file_delete", "Deletes a file of the project's workspace.", "path", ToolAccess.WRITE, """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"From the root, such as /notes/today.md"}},\
            "required":["path"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        return FileTools.run(workspaces, call, workspace -> {
            FilePath path = FilePath.file(arguments.get("path").asString());
            FileVersion made = workspace.delete(path, Precondition.NONE, FileTools.author(call));
            return FileTools.told("Deleted", workspace, made);
        });
    }
}
