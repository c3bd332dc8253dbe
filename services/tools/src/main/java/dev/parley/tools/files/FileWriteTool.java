package dev.parley.tools.files;

import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import tools.jackson.databind.JsonNode;

/** Writes a whole text file. */
record FileWriteTool(Workspaces workspaces) implements Tool {
    private static final ToolSpec SPEC = FileTools.spec(
            "file_write",
            "Writes a text file of the project's workspace: a new one, or another content of one that is there. Folders need not be made. "
                    + "To change parts of a file use file_edit.",
            "path",
            ToolAccess.WRITE,
            """
            {"type":"object","properties":{\
            "path":{"type":"string","description":"From the root, such as /notes/today.md"},\
            "content":{"type":"string","description":"The whole text, at most 8 MiB"},\
            "metadata":{"type":"object","additionalProperties":{"type":["string","number","boolean"]},"maxProperties":32,"description":\
            "What to note of the file besides, such as its status or source; without it what was noted before stays"}},\
            "required":["path","content"],"additionalProperties":false}""");

    @Override
    public ToolSpec spec() {
        return SPEC;
    }

    @Override
    public ToolOutput run(ToolCallContext call, JsonNode arguments) throws InterruptedException {
        return FileTools.run(workspaces, call, workspace -> {
            FilePath path = FilePath.file(arguments.get("path").asString());
            Content content = Content.of(arguments.get("content").asString());
            Workspace.requireRoom(content, Workspace.MOST_TEXT);
            FileVersion made = workspace.write(
                    path, content, null, FileTools.metadata(arguments), Precondition.NONE, FileTools.author(call));
            return FileTools.told("Wrote", workspace, made);
        });
    }
}
